import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import type { KeyEntry } from "./plan/plan.js";

export const KEY_PREFIX = "fsk_";
export const DIGEST_PREFIX = "sha256:";

const SECRET_BYTES = 32;
const CHECKSUM_LENGTH = 6;
/** `fsk_`, 32 bytes in base64url, and a checksum in the same alphabet. */
const OURS = /^fsk_[A-Za-z0-9_-]{49}$/;

const FORM = /^[A-Za-z0-9._~+/=-]{1,256}$/;

export function createKey(random: (size: number) => Buffer = randomBytes): string {
  const secret = random(SECRET_BYTES).toString("base64url");
  return KEY_PREFIX + secret + checksumOf(secret);
}

/** True for a text in the form of our keys with a correct checksum. It finds a typo or a cut without a look-up. */
export function isOwnKey(text: string): boolean {
  if (!OURS.test(text)) return false;
  const body = text.slice(KEY_PREFIX.length);
  return checksumOf(body.slice(0, -CHECKSUM_LENGTH)) === body.slice(-CHECKSUM_LENGTH);
}

const checksumOf = (secret: string): string => hash("sha256", secret, "base64url").slice(0, CHECKSUM_LENGTH);

export const isKeyForm = (text: string): boolean => FORM.test(text);

/** The digest of a key. The key itself is not stored. */
export const digestOf = (key: string): Buffer => hash("sha256", key, "buffer");

export const storedForm = (key: string): string => DIGEST_PREFIX + digestOf(key).toString("hex");

/** The digest in a stored form; null when the form is wrong. */
export function parseStored(text: string): Buffer | null {
  const [, hex] = /^sha256:([0-9a-fA-F]{64})$/.exec(text) ?? [];
  return hex === undefined ? null : Buffer.from(hex, "hex");
}

/** `fsk_… 1a2b3c4d`: the end of the digest identifies the key and reveals nothing of it. */
export const maskedKey = (digest: Buffer): string => `${KEY_PREFIX}… ${digest.toString("hex").slice(0, 8)}`;

export type FindKey = (key: string) => KeyEntry | null;

/**
 * Keys are looked up by digest, so the time reveals nothing of a key. The final comparison takes constant time, and
 * also runs for unknown keys.
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
