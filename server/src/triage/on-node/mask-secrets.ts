// Triage layer, on the node: what must not leave a log. Reports are pasted into channels.

const MASK = "***";

const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, MASK],
  [/\b(bearer)\s+[A-Za-z0-9._~+/=-]{12,}/gi, `$1 ${MASK}`],
  [/(authorization\\?["']?\s*[=:]\s*\\?["']?(?:basic|digest)\s+)[^\s"']+/gi, `$1${MASK}`],
  // JSON web tokens: service accounts, OpenID Connect.
  [/\beyJ[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]*){1,2}/g, MASK],
  // User and password in a URL.
  [/(:\/\/)[^\s/@"']+:[^\s/@"']+@/g, `$1${MASK}@`],
  [
    /\b((?:[a-z0-9_-]{0,40}[_-])?(?:password|passwd|secret|token|api[_-]?key|access[_-]?key(?:[_-]?id)?|signature|credential))(\\?["']?\s*[=:]\s*\\?["']?)(?!\*)[^\s"'&,;)}\\]{4,}/gi,
    `$1$2${MASK}`,
  ],
  // Signed URLs.
  [/([?&](?:sig|sv|se|auth|x-amz-[a-z-]+|x-goog-[a-z-]+)=)[^\s"'&]+/gi, `$1${MASK}`],
  // Bootstrap tokens, cloud keys, tokens of code hosts.
  [/\b[a-z0-9]{6}\.[a-z0-9]{16}\b/g, MASK],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, MASK],
  [/\b(?:gh[pousr]_|glpat-|xox[abprs]-)[A-Za-z0-9_-]{10,}/g, MASK],
  // Anything else that is too long to be a name; digests have 64 characters.
  [/\b[A-Za-z0-9+_-]{100,}={0,2}/g, MASK],
];

/** The text with everything that looks like a credential replaced by `***`; names of Secrets stay. */
export function maskSecrets(text: string): string {
  return SECRETS.reduce((masked, [pattern, by]) => masked.replace(pattern, by), text);
}
