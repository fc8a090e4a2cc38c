import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import type { KeyEntry } from "./plan/plan.js";

/** What all keys of ours begin with. */
export const KEY_PREFIX = "fsk_";
/** How a key stands in a file. */
export const DIGEST_PREFIX = "sha256:";

const SECRET_BYTES = 32;
const CHECKSUM_LENGTH = 6;
/** `fsk_`, 32 bytes in base64url, and a checksum in the same alphabet. */
const OURS = /^fsk_[A-Za-z0-9_-]{49}$/;

/** What an API key may be made of. */
const FORM = /^[A-Za-z0-9._~+/=-]{1,256}$/;

/** A new key. */
export function createKey(random: (size: number) => Buffer = randomBytes): string {
  const secret = random(SECRET_BYTES).toString("base64url");
  return KEY_PREFIX + secret + checksumOf(secret);
}

/** Whether a text has the form of our keys, its checksum included: a slip of the pen or a cut is found without a look-up. */
export function isOwnKey(text: string): boolean {
  if (!OURS.test(text)) return false;
  const body = text.slice(KEY_PREFIX.length);
  return checksumOf(body.slice(0, -CHECKSUM_LENGTH)) === body.slice(-CHECKSUM_LENGTH);
}

const checksumOf = (secret: string): string => hash("sha256", secret, "base64url").slice(0, CHECKSUM_LENGTH);

/** Whether a text can be presented as a key at all. */
export const isKeyForm = (text: string): boolean => FORM.test(text);

/** The digest of a key: what is kept of it. */
export const digestOf = (key: string): Buffer => hash("sha256", key, "buffer");

/** `sha256:` and the digest in hex. */
export const storedForm = (key: string): string => DIGEST_PREFIX + digestOf(key).toString("hex");

/** The digest that a stored form holds; null when it is none. */
export function parseStored(text: string): Buffer | null {
  const [, hex] = /^sha256:([0-9a-fA-F]{64})$/.exec(text) ?? [];
  return hex === undefined ? null : Buffer.from(hex, "hex");
}

/** `fsk_… 1a2b3c4d`: which key it is, and nothing of the key itself. */
export const maskedKey = (digest: Buffer): string => `${KEY_PREFIX}… ${digest.toString("hex").slice(0, 8)}`;

/** Finds the entry of a key; null for a key that is not known. */
export type FindKey = (key: string) => KeyEntry | null;

/**
 * Keys are found by their digest: how long that takes tells nothing of a key, since what is compared is spread by
 * the hash. The comparison that decides is constant-time, and made for unknown keys, too.
 */
export function createKeyTable(entries: readonly KeyEntry[]): FindKey {
  const table = new Map(entries.map((entry) => [entry.digest.toString("hex"), entry]));
  const nobody = Buffer.alloc(32);
  return (key) => {
    const digest = digestOf(key);
    const entry = table.get(digest.toString("hex"));
    const equal = timingSafeEqual(digest, entry?.digest ?? nobody);
    return entry !== undefined && equal ? entry : null;
  };
}
