// Certificates for servers on loopback: an authority of the test's own and what it signs, without any program.
import { createSign, generateKeyPairSync, type KeyObject } from "node:crypto";

export interface Identity {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
}

export interface Authority extends Identity {
  /** Signs a certificate for a server (its DNS names and IPv4 addresses) or for a client (its name alone). */
  sign(name: string, hosts?: readonly string[], days?: number): Identity;
}

const SEQUENCE = 0x30;
const SET = 0x31;
const ECDSA_SHA256 = [0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];
const COMMON_NAME = [0x06, 0x03, 0x55, 0x04, 0x03];
const SUBJECT_ALT_NAME = [0x06, 0x03, 0x55, 0x1d, 0x11];
const BASIC_CONSTRAINTS = [0x06, 0x03, 0x55, 0x1d, 0x13];
const DAY = 86_400_000;

export function createAuthority(name: string): Authority {
  const own = keyPair();
  let serial = 1;
  const made = (subject: string, key: KeyObject, extensions: Buffer, days: number): string => {
    serial += 1;
    return certificate({ serial, issuer: name, subject, key, signer: own.privateKey, extensions, days });
  };
  const ca = extension(BASIC_CONSTRAINTS, der(SEQUENCE, Buffer.from([0x01, 0x01, 0xff])));
  return {
    cert: made(name, own.publicKey, ca, 3650),
    key: pem(own.privateKey),
    sign: (subject, hosts = [], days = 3650) => {
      const { publicKey, privateKey } = keyPair();
      const names = Buffer.concat(hosts.map(generalName));
      const extensions = hosts.length === 0 ? Buffer.alloc(0) : extension(SUBJECT_ALT_NAME, der(SEQUENCE, names));
      return { cert: made(subject, publicKey, extensions, days), key: pem(privateKey) };
    },
  };
}

const keyPair = () => generateKeyPairSync("ec", { namedCurve: "P-256" });
const pem = (key: KeyObject): string => key.export({ type: "pkcs8", format: "pem" }).toString();

interface Parts {
  readonly serial: number;
  readonly issuer: string;
  readonly subject: string;
  readonly key: KeyObject;
  readonly signer: KeyObject;
  readonly extensions: Buffer;
  /** From now; negative: ended already. */
  readonly days: number;
}

/** An X.509 v3 certificate (RFC 5280) in PEM. */
function certificate({ serial, issuer, subject, key, signer, extensions, days }: Parts): string {
  const algorithm = der(SEQUENCE, Buffer.from(ECDSA_SHA256));
  const body = der(
    SEQUENCE,
    der(0xa0, Buffer.from([0x02, 0x01, 0x02])),
    der(0x02, Buffer.from([0x01, serial])),
    algorithm,
    distinguishedName(issuer),
    der(SEQUENCE, utcTime(Date.now() - 30 * DAY), utcTime(Date.now() + days * DAY)),
    distinguishedName(subject),
    key.export({ type: "spki", format: "der" }),
    extensions.length === 0 ? extensions : der(0xa3, der(SEQUENCE, extensions)),
  );
  const signature = createSign("sha256").update(body).sign(signer);
  const whole = der(SEQUENCE, body, algorithm, der(0x03, Buffer.from([0]), signature));
  const lines = whole.toString("base64").replace(/.{1,64}/g, "$&\n");
  return `-----BEGIN CERTIFICATE-----\n${lines}-----END CERTIFICATE-----\n`;
}

const distinguishedName = (name: string): Buffer =>
  der(SEQUENCE, der(SET, der(SEQUENCE, Buffer.from(COMMON_NAME), der(0x0c, Buffer.from(name, "utf8")))));

const extension = (id: readonly number[], value: Buffer): Buffer => der(SEQUENCE, Buffer.from(id), der(0x04, value));

function generalName(host: string): Buffer {
  const isAddress = /^[\d.]+$/.test(host);
  return isAddress ? der(0x87, Buffer.from(host.split(".").map(Number))) : der(0x82, Buffer.from(host, "ascii"));
}

function utcTime(time: number): Buffer {
  const digits = new Date(time).toISOString().replace(/[-:T]/g, "").slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`, "ascii"));
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const { length } = body;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), body]);
  if (length < 0x100) return Buffer.concat([Buffer.from([tag, 0x81, length]), body]);
  return Buffer.concat([Buffer.from([tag, 0x82, length >> 8, length & 0xff]), body]);
}
