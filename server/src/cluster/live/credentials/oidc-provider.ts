// Live cluster, credentials: an OIDC identity provider that trades a refresh token for a new identity. client-node asks for
// it in a way that its own library refuses (a string for a URL), and without the client's secret.
// Source: k8s.io/client-go/plugin/pkg/client/auth/oidc.
import { readFile } from "node:fs/promises";
import { request } from "node:https";
import { agentFor } from "../transport/agent.ts";
import { chooseProxy } from "../transport/proxy.ts";

/** What a provider gave. */
export interface RenewedIdentity {
  readonly id_token: string;
  /** Empty: the one that was traded stays. */
  readonly refresh_token: string;
}

interface Question {
  readonly url: URL;
  /** Form fields; null: a GET. */
  readonly form: Readonly<Record<string, string>> | null;
  readonly authorization: string;
}

interface Reply {
  readonly status: number;
  readonly fields: ReadonlyMap<string, unknown>;
}

/** Milliseconds a provider may take for one answer. */
const DEADLINE = 20_000;
/** Characters of an answer; an identity has a few thousand. */
const LONGEST = 1024 * 1024;

/**
 * Trades `refreshToken`; `config` is the flat configuration of the auth-provider.
 * @throws Error with what the provider said, or why it was not reached.
 */
export async function renewIdentity(
  config: Readonly<Record<string, string>>,
  refreshToken: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<RenewedIdentity> {
  const issuer = new URL(`${(config["idp-issuer-url"] ?? "").replace(/\/$/, "")}/.well-known/openid-configuration`);
  const data = config["idp-certificate-authority-data"] ?? "";
  const file = config["idp-certificate-authority"] ?? "";
  const ca =
    data !== "" ? Buffer.from(data, "base64").toString("utf8") : file === "" ? null : await readFile(file, "utf8");
  const { proxy, from } = chooseProxy(issuer, "", environment);
  const tls = { ca, cert: null, key: null, serverName: "", skipVerify: false };
  const agent = agentFor({ server: issuer, tls, proxy, proxyFrom: from });
  const ask = (question: Question): Promise<Reply> => exchange(question, agent);
  try {
    const discovered = await ask({ url: issuer, form: null, authorization: "" });
    const endpoint = discovered.fields.get("token_endpoint");
    if (typeof endpoint !== "string") throw new Error(`it names no token_endpoint (HTTP ${discovered.status})`);
    return identityOf(await trade(new URL(endpoint), config, refreshToken, ask));
  } finally {
    agent.destroy();
  }
}

/** Providers want the client's id and secret in a header or in the form; as Go does, the header is tried first. */
async function trade(
  url: URL,
  config: Readonly<Record<string, string>>,
  refreshToken: string,
  ask: (question: Question) => Promise<Reply>,
): Promise<Reply> {
  const [id, secret] = [config["client-id"] ?? "", config["client-secret"] ?? ""];
  const form = { grant_type: "refresh_token", refresh_token: refreshToken };
  const words = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`;
  const byHeader = await ask({ url, form, authorization: `Basic ${Buffer.from(words).toString("base64")}` });
  if (byHeader.status === 200) return byHeader;
  const own = { client_id: id, ...(secret === "" ? {} : { client_secret: secret }) };
  return ask({ url, form: { ...form, ...own }, authorization: "" });
}

function identityOf({ status, fields }: Reply): RenewedIdentity {
  const text = (name: string): string => {
    const value = fields.get(name);
    return typeof value === "string" ? value : "";
  };
  if (status !== 200) {
    const said = [text("error"), text("error_description")].filter((part) => part !== "").join(": ");
    throw new Error(said === "" ? `HTTP ${status}` : said);
  }
  const identity = text("id_token");
  if (identity === "")
    throw new Error("its answer holds no id_token; the scope openid may be missing from the sign-in");
  return { id_token: identity, refresh_token: text("refresh_token") };
}

function exchange({ url, form, authorization }: Question, agent: ReturnType<typeof agentFor>): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const body = form === null ? "" : new URLSearchParams(form).toString();
    const headers = {
      accept: "application/json",
      ...(form === null ? {} : { "content-type": "application/x-www-form-urlencoded" }),
      ...(authorization === "" ? {} : { authorization }),
    };
    const method = form === null ? "GET" : "POST";
    const outgoing = request(url, { method, agent, headers, timeout: DEADLINE }, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (piece: string) => {
        text += piece;
        if (text.length > LONGEST) outgoing.destroy(new Error("its answer is too long"));
      });
      answer.on("error", reject);
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, fields: fieldsOf(text) }));
    });
    outgoing.on("timeout", () => outgoing.destroy(new Error(`no answer within ${DEADLINE / 1000} s`)));
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** The fields of a JSON object; none of anything else. */
function fieldsOf(text: string): ReadonlyMap<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);
  } catch {
    // Some gateway's page; its status says enough.
    return new Map();
  }
}
