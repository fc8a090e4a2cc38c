/** How a request from outside begins a run of a graph. */
export interface Webhook {
  /** Below `/hooks`; it begins with `/`. */
  readonly path: string;
  /** How the sender is known: a signature of the body, a key, or not at all. */
  readonly verify: "hmac" | "key" | "none";
  /** The environment variable that holds the secret; null where none is needed. */
  readonly secret: string | null;
  /** Whose headers a signature is in. */
  readonly scheme: "standard" | "github";
  /** The headers that the run is given as `_headers`, in lower case. */
  readonly headers: readonly string[];
  /** What the sender gets: that the run was accepted, or its result. */
  readonly answer: "accepted" | "result";
}

export const WEBHOOK_CHOICES = {
  verify: ["hmac", "key", "none"],
  scheme: ["standard", "github"],
  answer: ["accepted", "result"],
} as const;
export const WEBHOOK_PARTS = ["path", "verify", "secret", "scheme", "headers", "answer"] as const;

/** The input that chosen headers are given as. */
export const HEADERS_FIELD = "_headers";

const LONGEST_PATH = 100;
const MOST_HEADERS = 20;
/** These hold what proves who sends: a run would keep it. */
const CREDENTIALS =
  /^(?:authorization|proxy-authorization|cookie|x-api-key|webhook-signature|x-hub-signature(?:-256)?)$/;

/** Segments that mean something to routers of addresses, such as `..`, are none. */
export const isHookPath = (text: string): boolean =>
  text.length <= LONGEST_PATH && /^(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$/.test(text);

/** The variable that `env:NAME` names; null for other texts. */
export const variableIn = (text: string): string | null => /^env:([A-Za-z_]\w*)$/.exec(text)?.[1] ?? null;

const isHookHeader = (text: string): boolean =>
  /^[A-Za-z0-9!#$%&'*+.^`|~-]{1,100}$/.test(text) && !CREDENTIALS.test(text.toLowerCase());

export const isHeaderList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) &&
  value.length <= MOST_HEADERS &&
  value.every((one) => typeof one === "string" && isHookHeader(one));

/** Null for what is no webhook, and for one that cannot be trusted to know its sender. */
export function webhookIn(value: unknown): Webhook | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const given = value as { readonly [part: string]: unknown };
  if (Object.keys(given).some((part) => !WEBHOOK_PARTS.some((one) => one === part))) return null;
  const { path, secret: named, headers = [] } = given;
  const verify = choiceOf(WEBHOOK_CHOICES.verify, given["verify"]);
  const scheme = choiceOf(WEBHOOK_CHOICES.scheme, given["scheme"]);
  const answer = choiceOf(WEBHOOK_CHOICES.answer, given["answer"]);
  if (typeof path !== "string" || !isHookPath(path) || !isHeaderList(headers)) return null;
  if (verify === null || scheme === null || answer === null) return null;
  const secret = typeof named === "string" ? variableIn(named) : null;
  if ((verify === "none") !== (named === undefined) || (verify !== "none" && secret === null)) return null;
  if (given["scheme"] !== undefined && verify !== "hmac") return null;
  const names = [...new Set(headers.map((name) => name.toLowerCase()))];
  return { path, verify, secret, scheme, headers: names, answer };
}

/** The first one without a choice; null for what is none. */
const choiceOf = <T extends string>(known: readonly [T, ...T[]] | readonly T[], given: unknown): T | null =>
  given === undefined ? (known[0] ?? null) : (known.find((one) => one === given) ?? null);

/** As a sheet writes it, in full. */
export function webhookData({ secret, ...webhook }: Webhook): {
  readonly [part: string]: string | readonly string[];
} {
  const { path, verify, scheme, headers, answer } = webhook;
  return {
    ...{ path, verify },
    ...(secret === null ? {} : { secret: `env:${secret}` }),
    ...(verify === "hmac" ? { scheme } : {}),
    ...(headers.length === 0 ? {} : { headers }),
    answer,
  };
}
