// A user of the OIDC auth-provider against an identity provider on loopback.
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createAuthority } from "./certificates.ts";
import { connectionOf } from "./following.ts";

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const authority = createAuthority("Provider");

let server: Server;
let issuer = "";
/** Refresh tokens that were traded, in order. */
let traded: string[] = [];
/** The refresh token that the provider gives with the next identity; undefined: none. */
let next: string | undefined;
/** Whether the provider refuses. */
let refuses = false;

const identity = (sub: string, seconds: number): string => {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: issuer, aud: "kube", sub, iat: now, exp: now + seconds };
  return `${part({ alg: "RS256", kid: "k" })}.${part(claims)}.${Buffer.from("signature").toString("base64url")}`;
};

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return new URLSearchParams(text);
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader("content-type", "application/json");
  if (request.url?.startsWith("/.well-known")) {
    response.end(JSON.stringify({ issuer, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/keys` }));
    return;
  }
  traded.push((await bodyOf(request)).get("refresh_token") ?? "");
  if (refuses) {
    response.statusCode = 400;
    response.end(JSON.stringify({ error: "invalid_grant", error_description: "the session has ended" }));
    return;
  }
  const id_token = identity(`renewed-${traded.length}`, 3_600);
  const refresh = next === undefined ? {} : { refresh_token: next };
  response.end(JSON.stringify({ access_token: "a", token_type: "bearer", expires_in: 3_600, id_token, ...refresh }));
}

beforeEach(async () => {
  traded = [];
  next = undefined;
  refuses = false;
  const listener: RequestListener = (request, response) => void answer(request, response);
  const { cert, key } = authority.sign("idp", ["127.0.0.1"]);
  server = createServer({ cert, key }, listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  issuer = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function credentials(config: Readonly<Record<string, string>>) {
  const ca = Buffer.from(authority.cert).toString("base64");
  const all = { "client-id": "kube", "idp-issuer-url": issuer, "idp-certificate-authority-data": ca, ...config };
  const text = `clusters: [{name: c, cluster: {server: "https://h"}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
users: [{name: u, user: {auth-provider: {name: oidc, config: ${JSON.stringify(all)}}}}]
`;
  return connectionOf(text, "/").then((connection) => connection.credentials);
}

const { signal } = new AbortController();
const who = (authorization: unknown): string => {
  const claims = /^Bearer [^.]+\.([^.]+)\./.exec(String(authorization))?.[1] ?? "";
  return JSON.parse(Buffer.from(claims, "base64url").toString("utf8")).sub;
};

test("an identity that has not ended is used as it is", async () => {
  const source = await credentials({ "id-token": identity("jo", 600), "refresh-token": "r0" });
  expect(who((await source.current(signal)).headers.authorization)).toBe("jo");
  expect(traded).toEqual([]);
});

test("one that has ended is renewed, one that the server refuses too, and the refresh token is kept or replaced", async () => {
  const source = await credentials({ "id-token": identity("jo", -600), "refresh-token": "r0" });
  const first = await source.current(signal);
  expect(who(first.headers.authorization)).toBe("renewed-1");
  source.drop(first);
  next = "r1";
  const second = await source.current(signal);
  source.drop(second);
  await source.current(signal);
  expect(traded).toEqual(["r0", "r0", "r1"]);
});

test("a refresh token alone is enough to begin with", async () => {
  const source = await credentials({ "refresh-token": "r0" });
  expect(who((await source.current(signal)).headers.authorization)).toBe("renewed-1");
});

test("a provider that refuses is named, and a user without either is told to sign in", async () => {
  refuses = true;
  const ended = await credentials({ "id-token": identity("jo", -600), "refresh-token": "r0" });
  await expect(ended.current(signal)).rejects.toThrow(`the identity provider ${issuer} gave no new token: `);
  const empty = await credentials({});
  await expect(empty.current(signal)).rejects.toThrow("has no id-token, or an expired one that cannot be renewed");
});
