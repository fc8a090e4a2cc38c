import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Webhook } from "../../../compiler/types/webhook.js";
import { headerValues } from "../../auth/credential.js";
import type { Environment } from "../../host.js";
import { HttpProblem, inputInvalid } from "../request/problem.js";

/** A sender's clock may be so far from ours. */
const TOLERANCE_S = 300;
const SHORTEST_ADVISED = 16;

/** What proves the sender of a request; its headers have been checked, its body has not. */
export interface Claim {
  /** Makes the request known again, and is proved with the rest; null without one. */
  readonly id: (body: Buffer) => string | null;
  readonly holds: (body: Buffer) => boolean;
}

/** The bytes of a secret; or why there are none. An empty secret would let everybody in. */
export function secretOf(
  { secret, verify, scheme }: Webhook,
  env: Environment,
): { readonly key: Buffer; readonly isShort: boolean } | { readonly lacks: string } {
  if (secret === null) return { key: Buffer.alloc(0), isShort: false };
  const value = env[secret]?.trim() ?? "";
  if (value === "") return { lacks: `the environment variable ${secret} is not set` };
  const coded = verify === "hmac" && scheme === "standard" ? /^whsec_(.*)$/s.exec(value)?.[1] : undefined;
  const key = coded === undefined ? Buffer.from(value) : Buffer.from(coded, "base64");
  const isWhole =
    coded === undefined || key.toString("base64").replace(/=+$/, "") === coded.replace(/=+$/, "");
  if (key.length === 0 || !isWhole)
    return { lacks: `the environment variable ${secret} holds no base64 behind whsec_` };
  return { key, isShort: key.length < SHORTEST_ADVISED };
}

/** Reads the proof of a request before its body. Throws when there is none that could hold. */
export function claimOf(webhook: Webhook, key: Buffer, rawHeaders: readonly string[]): Claim {
  const one = (name: string): string | null => single(rawHeaders, name);
  if (webhook.verify === "none") return { id: () => senderId(one), holds: () => true };
  if (webhook.verify === "key") {
    if (!isSame(keyIn(one), key)) throw refused("the key does not fit");
    return { id: () => senderId(one), holds: () => true };
  }
  return webhook.scheme === "github" ? claimOfGithub(key, one) : claimOfStandard(key, one);
}

type One = (name: string) => string | null;

/** Null for a header that is not there. One that comes twice may be read in two ways, so it proves nothing. */
function single(rawHeaders: readonly string[], name: string): string | null {
  const [value, ...others] = headerValues(rawHeaders, name);
  if (others.length > 0) throw refused(`the header ${name} comes twice`);
  return value ?? null;
}

const refused = (detail: string): HttpProblem =>
  new HttpProblem("signature_invalid", {
    detail,
    headers: { "WWW-Authenticate": 'Webhook realm="flowsheet"' },
  });

export const wrongSignature = (): HttpProblem => refused("the signature does not fit the body");

/** `X-API-Key`, or a bearer token; never both. */
function keyIn(one: One): string {
  const key = one("x-api-key");
  const token = /^bearer +(\S+)$/i.exec(one("authorization") ?? "")?.[1] ?? null;
  if (key !== null && token !== null) throw refused("there are two keys");
  const given = key ?? token;
  if (given === null || given === "") throw refused("there is no key");
  return given;
}

/** Digests have one length, so the time tells nothing of the key. */
const isSame = (given: string, key: Buffer): boolean =>
  timingSafeEqual(createHash("sha256").update(given).digest(), createHash("sha256").update(key).digest());

/** Chosen by a sender that is known in another way, or not at all. */
function senderId(one: One): string | null {
  const id = one("idempotency-key") ?? one("webhook-id");
  if (id === null || ID.test(id)) return id;
  const message = "the id must be of 1 to 255 visible ASCII characters";
  throw inputInvalid([{ pointer: "/headers/Idempotency-Key", message }]);
}

const ID = /^[\x21-\x7e]{1,255}$/;

/** Standard Webhooks: the id and the time are signed with the body. */
function claimOfStandard(key: Buffer, one: One): Claim {
  const [id, time, given] = [one("webhook-id"), one("webhook-timestamp"), one("webhook-signature")];
  if (id === null || time === null || given === null)
    throw refused("webhook-id, webhook-timestamp and webhook-signature are needed");
  if (!ID.test(id)) throw refused("webhook-id must be of 1 to 255 visible ASCII characters");
  if (!/^\d{1,12}$/.test(time)) throw refused("webhook-timestamp must be in seconds since 1970");
  if (Math.abs(Math.floor(Date.now() / 1_000) - Number(time)) > TOLERANCE_S)
    throw refused(`webhook-timestamp is more than ${TOLERANCE_S} seconds away`);
  // A sender that changes its secret signs with both of them.
  const signatures = given.split(" ").filter((text) => text.startsWith("v1,"));
  if (signatures.length === 0) throw refused("webhook-signature has no signature of version v1");
  const sign = (body: Buffer): string =>
    createHmac("sha256", key).update(`${id}.${time}.`).update(body).digest("base64");
  return {
    id: () => id,
    holds: (body) => {
      const wanted = `v1,${sign(body)}`;
      return signatures.map((one) => isText(one, wanted)).includes(true);
    },
  };
}

/** Its headers with an id and a time are not signed. So the same body is the same request. */
function claimOfGithub(key: Buffer, one: One): Claim {
  const given = one("x-hub-signature-256");
  if (given === null || !given.startsWith("sha256=")) throw refused("X-Hub-Signature-256 is needed");
  const sign = (body: Buffer): string => createHmac("sha256", key).update(body).digest("hex");
  return { id: sign, holds: (body) => isText(given, `sha256=${sign(body)}`) };
}

/** The text itself is compared: no decoder reads two spellings as one signature. */
function isText(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}
