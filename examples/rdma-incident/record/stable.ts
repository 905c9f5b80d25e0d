// Made-up values that come out the same in every recording, and time stamps as
// the API writes them.
import { createHash } from "node:crypto";

/** SHA-256 of words, in hexadecimal digits. */
export function hash(...words: readonly string[]): string {
  return createHash("sha256").update(words.join("\n")).digest("hex");
}

/** A stable UUID made of words. */
export function uuid(...words: readonly string[]): string {
  const digits = hash(...words);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join("-");
}

/** Now, to the second. */
export function timestamp(): string {
  return new Date().toISOString().replace(/\.\d+/, "");
}
