import { AgentError, messageOf } from "../graph/contract/errors.js";
import { isMapping } from "../graph/values/values.js";
import type { ProviderSettings } from "./settings.js";

/** A provider gave no answer. The message is one line without the provider's name. Only this folder uses it. */
export class ProviderFailure extends Error {
  override readonly name = "ProviderFailure";
  /** The same call may succeed later. */
  readonly isPassing: boolean = false;
  /** The wait that the provider asks for; null when it names none. */
  readonly waitMs: number | null = null;
  /** The provider does not support this JSON option: instructions alone may work. */
  readonly refusesFormat: boolean = false;

  constructor(
    message: string,
    facts: Partial<Pick<ProviderFailure, "isPassing" | "waitMs" | "refusesFormat">> = {},
  ) {
    super(message);
    Object.assign(this, facts);
  }
}

/** The status of a server that is busy or has a temporary error. */
const PASSING: ReadonlySet<number> = new Set([408, 409, 429, 500, 502, 503, 504, 529]);
/** The status of a server that does not support the JSON option. */
const REFUSALS: ReadonlySet<number> = new Set([400, 415, 422, 501]);
const LONGEST = 300;

/** An error of the AI SDK. No class check, since there may be another copy of the package. */
interface ServerAnswer extends Error {
  readonly statusCode: number;
  readonly responseHeaders?: { readonly [name: string]: string };
  readonly responseBody?: string;
}

interface Asked {
  readonly provider: ProviderSettings;
  /** Removes secrets from a server's message. */
  readonly redact: (message: string) => string;
}

export function describeFailure(thrown: unknown, asked: Asked): Error {
  const chain = causesOf(thrown);
  const own = chain.find((one) => one instanceof ProviderFailure || one instanceof AgentError);
  if (own !== undefined) return own;
  const network = chain.find(isNetworkError);
  if (network !== undefined) return new ProviderFailure(networkText(network, asked), { isPassing: true });
  const answer = chain.find(isServerAnswer);
  if (answer !== undefined) return refused(answer, asked);
  return new ProviderFailure(line(messageOf(thrown), asked));
}

function causesOf(thrown: unknown): readonly Error[] {
  const chain: Error[] = [];
  for (let one = thrown; one instanceof Error && chain.length < 10; one = one.cause) chain.push(one);
  return chain;
}

const NETWORK =
  /^(?:ECONN|EHOST|ENET|EPIPE|ENOTFOUND|EAI_|ETIMEDOUT|UND_ERR|ERR_SSL|ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HPE_|Z_)/;

const codeIn = (error: Error): string =>
  "code" in error && typeof error.code === "string" ? error.code : "";

const isNetworkError = (error: Error): boolean =>
  NETWORK.test(codeIn(error)) || /^(?:terminated|fetch failed)$/.test(error.message);

function networkText(error: Error, asked: Asked): string {
  const { host } = new URL(asked.provider.baseUrl);
  const inner = causesOf(error).findLast((one) => codeIn(one) !== "");
  const why = inner === undefined ? line(error.message, asked) : codeIn(inner);
  if (/^(?:UND_ERR_SOCKET|HPE_|Z_)|^terminated$/.test(why))
    return `the connection to ${host} broke off (${why})`;
  return `cannot reach ${host} (${why})`;
}

const isServerAnswer = (error: Error): error is ServerAnswer =>
  "statusCode" in error && typeof error.statusCode === "number";

function refused(answer: ServerAnswer, asked: Asked): ProviderFailure {
  const { name, kind, baseUrl } = asked.provider;
  const { statusCode: status, responseBody = "" } = answer;
  if (status < 300) return new ProviderFailure(strangeText(responseBody, baseUrl));
  const said = line(saidIn(responseBody) ?? answer.message, asked);
  const help = helpFor(status, name, kind);
  return new ProviderFailure(`HTTP ${status}${said === "" ? "" : `: ${said}`}${help}`, {
    isPassing: PASSING.has(status),
    waitMs: waitOf(answer.responseHeaders ?? {}),
    refusesFormat: REFUSALS.has(status),
  });
}

function strangeText(body: string, baseUrl: string): string {
  const what = parsed(body) === undefined ? "no JSON" : "JSON of another shape";
  return `the server at ${new URL(baseUrl).host} answered with what no model answers (${what}): check base_url and kind`;
}

function helpFor(status: number, name: string, kind: string): string {
  if (status === 401 || status === 403)
    return `; check the key: llm.providers.${name}.api_key, or the environment`;
  if (status === 404) return `; check the model${kind === "openai-compatible" ? " and base_url" : ""}`;
  return "";
}

/** The message in the body of an error, in any of the usual places. */
function saidIn(body: string): string | null {
  const data = parsed(body);
  if (!isMapping(data)) return null;
  const inner = isMapping(data["error"]) ? data["error"]["message"] : data["error"];
  const isSaid = (one: unknown): one is string => typeof one === "string" && one !== "";
  return [inner, data["message"], data["detail"]].find(isSaid) ?? null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** One short line. Secrets are removed before the cut, also those that the server itself has cut. */
function line(text: string, { redact }: Asked): string {
  const plain = redact(text)
    .replace(/\S*\*{3,}\S*/gu, "[redacted]")
    .replace(/\s+/gu, " ")
    .trim();
  return plain.length <= LONGEST ? plain : `${plain.slice(0, LONGEST - 1)}…`;
}

/** The wait that a server asks for: in milliseconds, in seconds, or until a date. */
function waitOf(headers: { readonly [name: string]: string }): number | null {
  const ms = Number(headers["retry-after-ms"] ?? Number.NaN);
  if (ms >= 0) return ms;
  const after = headers["retry-after"]?.trim();
  if (after === undefined || after === "") return null;
  const seconds = Number(after);
  if (seconds >= 0) return seconds * 1000;
  const date = Date.parse(after);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}
