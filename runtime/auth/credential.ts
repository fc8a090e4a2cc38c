import { isKeyForm } from "./keys.js";
import type { CredentialSource } from "./result.js";

export interface CredentialCarrier {
  /** Names and values in turn, as received, so that repeated headers are seen. */
  readonly rawHeaders: readonly string[];
  /** The part after `?`, not decoded. */
  readonly query: string;
}

export type Credential =
  | { readonly kind: "none" }
  | { readonly kind: "key"; readonly source: "X-API-Key" | "api_key"; readonly value: string }
  | { readonly kind: "token"; readonly source: "Authorization"; readonly value: string }
  | { readonly kind: "malformed" | "ambiguous"; readonly source: CredentialSource; readonly detail: string };

const LONGEST_TOKEN = 8_192;
/** One space and a token as in RFC 7235. */
const BEARER = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/;

/**
 * Finds the credential of a request. The first source with a value decides: a bad credential there is refused, even
 * when another source has a good one.
 */
export function readCredential({ rawHeaders, query }: CredentialCarrier, allowQueryKey: boolean): Credential {
  const keys = headerValues(rawHeaders, "x-api-key");
  if (keys.length > 0) return readKey(keys, "X-API-Key");
  const authorization = headerValues(rawHeaders, "authorization");
  if (authorization.some((value) => /^bearer(?:\s|$)/i.test(value))) return readToken(authorization);
  const given = allowQueryKey && query !== "" ? new URLSearchParams(query).getAll("api_key") : [];
  return given.length > 0 ? readKey(given, "api_key") : { kind: "none" };
}

/** All values of a header. `wanted` is in lower case. */
export function headerValues(rawHeaders: readonly string[], wanted: string): readonly string[] {
  const values: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === wanted) values.push(rawHeaders[index + 1] ?? "");
  }
  return values;
}

function readKey(values: readonly string[], source: "X-API-Key" | "api_key"): Credential {
  const [value = ""] = values;
  if (values.length > 1) return ambiguous(source);
  if (isKeyForm(value)) return { kind: "key", source, value };
  return { kind: "malformed", source, detail: keyFault(value) };
}

const ambiguous = (source: CredentialSource): Credential => ({
  kind: "ambiguous",
  source,
  detail: `${source} is given more than once: send one credential.`,
});

function keyFault(value: string): string {
  if (value === "") return "The API key is empty.";
  if (value.length > 256) return "An API key has at most 256 characters.";
  if (/^bearer\s/i.test(value)) return "X-API-Key holds the key alone, without the word Bearer.";
  return "The API key holds characters that no key has: remove quotes and spaces.";
}

function readToken(values: readonly string[]): Credential {
  const source = "Authorization";
  if (values.length > 1) return ambiguous(source);
  const [, token] = BEARER.exec(values[0] ?? "") ?? [];
  if (token === undefined) {
    const detail = 'Write "Authorization: Bearer TOKEN": one space, and a token without quotes or spaces.';
    return { kind: "malformed", source, detail };
  }
  if (token.length > LONGEST_TOKEN)
    return { kind: "malformed", source, detail: `A token has at most ${LONGEST_TOKEN} characters.` };
  return { kind: "token", source, value: token };
}
