// Live cluster, credentials: what a token or certificate tells of itself, for messages. Nothing is verified here.
import { X509Certificate } from "node:crypto";

/** The `exp` of a JSON web token in milliseconds since the epoch; null for any other token. */
export function tokenExpiry(token: string): number | null {
  const payload = token.split(".")[1];
  if (payload === undefined) return null;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
    if (typeof claims !== "object" || claims === null || !("exp" in claims)) return null;
    return typeof claims.exp === "number" ? claims.exp * 1000 : null;
  } catch {
    // A token with dots that is no web token says nothing of its end.
    return null;
  }
}

/** The end of a certificate in PEM, milliseconds since the epoch; null when the text is none. */
export function certificateExpiry(pem: string): number | null {
  try {
    const end = Date.parse(new X509Certificate(pem).validTo);
    return Number.isNaN(end) ? null : end;
  } catch {
    // What is no certificate is told when the connection is made.
    return null;
  }
}

/** Why a token cannot be sent in a header, to follow the token's name; null when it can. */
export function tokenFault(token: string): string | null {
  return /^[\x20-\x7e]*$/.test(token)
    ? null
    : "holds a line break or another character that no request header may hold";
}
