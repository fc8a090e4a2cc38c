import { readFileSync } from "node:fs";
import { PRIVATE, replaceFileSync } from "../../compiler/files/replace-file.js";
import { FlowsheetError } from "../graph/contract/errors.js";
import type { Usage } from "../graph/contract/services.js";
import { isMapping } from "../graph/values/values.js";
import { keyOf, ordered, type RecordedRequest } from "./recorded-request.js";

export type RecordedAnswer =
  | { readonly text: string; readonly usage: Usage; readonly provider: string; readonly model: string }
  | { readonly failure: string };

export interface RecordedCall {
  /** The nodes that asked, as `Graph/Node`. */
  readonly askedBy: readonly string[];
  readonly request: RecordedRequest;
  /** At least one. */
  readonly answers: readonly RecordedAnswer[];
}

export type RecordedCalls = ReadonlyMap<string, RecordedCall>;

export class CassetteError extends FlowsheetError {
  constructor(message: string) {
    super("cassette_unusable", message);
    this.name = "CassetteError";
  }
}

const VERSION = 1;

/** Reads a cassette; null when there is no file. `shown` is the name in messages. */
export function readCassetteFile(file: string, shown: string): RecordedCalls | null {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return null;
    throw new CassetteError(`cannot read ${shown} (${code})`);
  }
  return parseCassette(text, shown);
}

/** Parses a cassette. The keys in the text are only for readers: they are computed again from the requests. */
export function parseCassette(text: string, shown: string): RecordedCalls {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw new CassetteError(`${shown} is no JSON`);
  }
  const wrong = (what: string): CassetteError => new CassetteError(`${shown} is no cassette: ${what}`);
  if (!isMapping(data) || !Array.isArray(data["calls"])) throw wrong('it holds no list "calls"');
  if (data["cassette"] !== VERSION) throw wrong(`"cassette" must be ${VERSION}`);
  const calls = data["calls"].map((call, index) => {
    const read = callOf(call);
    if (read === null) throw wrong(`calls[${index}] must hold a request with a prompt, and its answers`);
    return [keyOf(read.request), read] as const;
  });
  return new Map(calls);
}

function callOf(call: unknown): RecordedCall | null {
  if (!isMapping(call) || !isMapping(call["request"]) || !Array.isArray(call["answers"])) return null;
  const request = requestOf(call["request"]);
  const given = call["answers"].map(answerOf);
  const answers = given.filter((answer) => answer !== null);
  if (request === null || answers.length === 0 || answers.length < given.length) return null;
  const askedBy = Array.isArray(call["asked_by"]) ? call["asked_by"].map(String) : [];
  return { askedBy, request, answers };
}

function requestOf(given: { readonly [part: string]: unknown }): RecordedRequest | null {
  const { history: turns = [] } = given;
  const [prompt, system] = [joined(given["prompt"]), joined(given["system"])];
  if (prompt === null || !Array.isArray(turns)) return null;
  const history = turns.map((turn) => ({ role: turn?.role, text: joined(turn?.text) }));
  if (!history.every(({ role, text }) => typeof role === "string" && text !== null)) return null;
  // A wrong part is kept: such a request never matches, which replay reports.
  return ordered({ ...given, prompt, system, history }) as unknown as RecordedRequest;
}

function answerOf(given: unknown): RecordedAnswer | null {
  if (!isMapping(given)) return null;
  if (typeof given["failure"] === "string") return { failure: given["failure"] };
  const text = joined(given["text"]);
  if (text === null) return null;
  const usage = isMapping(given["usage"]) ? given["usage"] : {};
  return {
    text,
    usage: { input_tokens: count(usage["input_tokens"]), output_tokens: count(usage["output_tokens"]) },
    provider: String(given["provider"] ?? ""),
    model: String(given["model"] ?? ""),
  };
}

const count = (given: unknown): number => (typeof given === "number" && given >= 0 ? given : 0);

/** Text with several lines becomes a list of lines, so that diffs show single lines. */
const lined = (text: string): string | readonly string[] => (text.includes("\n") ? text.split("\n") : text);

function joined(given: unknown): string | null {
  if (typeof given === "string") return given;
  if (!Array.isArray(given) || !given.every((line) => typeof line === "string")) return null;
  return given.join("\n");
}

/** The text of a cassette, sorted by node and prompt, so that equal calls give equal text. */
export function formatCassette(calls: RecordedCalls): string {
  const sorted = [...calls].sort(
    ([aKey, a], [bKey, b]) =>
      byText(a.askedBy.join(), b.askedBy.join()) ||
      byText(a.request.prompt, b.request.prompt) ||
      byText(aKey, bKey),
  );
  const written = sorted.map(([key, { askedBy, request, answers }]) => ({
    asked_by: askedBy,
    key,
    request: writtenRequest(request),
    answers: answers.map((answer) =>
      "text" in answer ? { ...answer, text: lined(answer.text) } : { failure: answer.failure },
    ),
  }));
  return `${JSON.stringify({ cassette: VERSION, calls: written }, null, 2)}\n`;
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function writtenRequest({ system, history, prompt, ...rest }: RecordedRequest): object {
  return ordered({
    ...rest,
    prompt: lined(prompt),
    system: system === undefined ? undefined : lined(system),
    history: history?.map(({ role, text }) => ({ role, text: lined(text) })),
  });
}

export function writeCassetteFile(file: string, shown: string, calls: RecordedCalls): void {
  try {
    replaceFileSync(file, formatCassette(calls), PRIVATE);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "there is no such folder" : code;
    throw new CassetteError(`cannot write ${shown} (${why})`);
  }
}
