/**
 * Forms of keys and tokens that well-known services give out. Ordinary text has none of them. All repetitions are
 * bounded, so the cost is linear.
 */
const FORMS = [
  /\bsk-(?:ant-|proj-|or-)?(?=[\w-]{0,60}\d)[A-Za-z0-9_-]{20,200}/,
  /\b[rs]k_live_[A-Za-z0-9]{16,200}/,
  /\bgh[pousr]_[A-Za-z0-9]{30,200}|\bgithub_pat_[A-Za-z0-9_]{30,200}/,
  /\bglpat-[A-Za-z0-9_-]{20,200}/,
  /\bxox[abeprs]-[A-Za-z0-9-]{16,200}/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\bAIza[A-Za-z0-9_-]{35}/,
  /\bSG\.[\w-]{20,24}\.[\w-]{40,50}/,
  /\bnpm_[A-Za-z0-9]{36}\b/,
  /\bfsk_[\w-]{20,200}/,
  /\beyJ[\w-]{8,400}\.eyJ[\w-]{8,2000}\.[\w-]{8,1000}/,
  /\b\d{8,10}:AA[A-Za-z0-9_-]{33}\b/,
  /-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----/,
  /https:\/\/hooks\.slack\.com\/services\/T\w{1,20}\/B\w{1,20}\/\w{16,80}/,
  /https:\/\/(?:\w{1,20}\.)?discord(?:app)?\.com\/api\/webhooks\/\d{1,30}\/[\w-]{40,200}/,
  /\b(?:Bearer|Basic) (?=[\w+/=.~-]{0,60}\d)(?=[\w+/=.~-]{0,60}[A-Za-z])[\w+/=.~-]{16,400}/,
  /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/{}"]{1,80}:[^\s:@/{}"]{3,80}@[\w.[\]-]{1,100}/,
];

const SECRET = new RegExp(FORMS.map(({ source }) => source).join("|"), "g");

/** The stretch of a text that has the form of a key or token; null without one. */
export function findSecret(text: string): { readonly start: number; readonly end: number } | null {
  SECRET.lastIndex = 0;
  const found = SECRET.exec(text);
  return found === null ? null : { start: found.index, end: found.index + found[0].length };
}

/** The text with stars in the place of secrets. Offsets stay as they were. */
export const hideSecrets = (text: string): string =>
  text.replace(SECRET, (secret) => "*".repeat(secret.length));

/** Names of settings, headers and fields whose values are secrets. */
const NAME =
  /^(?:authorization|proxy-authorization|(?:x[-_])?(?:api|auth|access|secret)[-_]?(?:key|token)|token|secret|password|passwd)$/i;

/** True for a literal text under the name of a secret. A reference, a placeholder, or a word is none. */
export const isNamedSecret = (name: string, value: unknown): boolean =>
  typeof value === "string" &&
  NAME.test(name) &&
  /^(?=.*\d)(?=.*[A-Za-z])[^\s{}]{10,}$|^(?:Bearer|Basic|Token) [^\s{}]{8,}$/.test(value) &&
  !/^env:/.test(value);
