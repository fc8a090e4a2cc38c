import { AgentError, messageOf } from "../graph/errors.js";
import { redactData } from "../graph/redact.js";
import type { Generated, LanguageModels, ModelCall, ModelRequest } from "../graph/services.js";
import {
  CassetteError,
  type RecordedAnswer,
  type RecordedCall,
  type RecordedCalls,
  readCassetteFile,
  writeCassetteFile,
} from "./cassette-file.js";
import { BLANK, fits, keyOf, type RecordedRequest, recordedRequest } from "./recorded-request.js";
import { describeDifference } from "./request-difference.js";

export interface CassetteOptions {
  /** The file's name in messages; the path without it. */
  readonly shown?: string;
  /** Takes the values of secrets out of what is kept, and out of messages. */
  readonly redact: (text: string) => string;
}

/** Models whose answers are recorded while they are asked. */
export interface Recording {
  readonly models: LanguageModels;
  /** How many calls were answered, or refused, so far. */
  readonly count: () => number;
  /** Puts the calls into the file: they replace what it holds for the same requests. Without calls nothing is written. */
  readonly save: () => void;
}

/** Models that give the recorded answers, and no others. */
export interface Replay {
  readonly models: LanguageModels;
  /** How many calls had no recorded answer. */
  readonly misses: () => number;
  /** The recorded calls that nobody has made. */
  readonly unused: () => readonly RecordedCall[];
}

/** A file of recorded calls. */
export interface Cassette {
  /** Asks these models, and keeps what they answer. */
  readonly record: (models: LanguageModels) => Recording;
  /** Begins from the first answers. Throws when there is no such file. */
  readonly replay: () => Replay;
}

/** A file of recorded calls of models. Throws a `CassetteError` when the file is there and is no cassette. */
export function createCassette(file: string, { shown = file, redact }: CassetteOptions): Cassette {
  const held = readCassetteFile(file, shown);
  return {
    record: (models) => createRecording({ file, shown, redact, models }),
    replay: () => {
      if (held === null) throw new CassetteError(`cannot open ${shown}: there is no such file`);
      return createReplay({ shown, redact, calls: held });
    },
  };
}

interface RecordingOptions {
  readonly file: string;
  readonly shown: string;
  readonly redact: (text: string) => string;
  readonly models: LanguageModels;
}

interface Slot {
  readonly request: RecordedRequest;
  readonly askedBy: Set<string>;
  /** In the order in which they were asked; null while one is open, or when it was given up. */
  readonly answers: (RecordedAnswer | null)[];
}

/** What was paid for is on the disk after so long, also when the process is killed. */
const SAVE_EVERY_MS = 1_000;

function createRecording({ file, shown, redact, models }: RecordingOptions): Recording {
  const slots = new Map<string, Slot>();
  let saved = 0;
  const save = (): void => {
    const calls = callsIn(slots);
    if (calls.size === 0) return;
    saved = Date.now();
    writeCassetteFile(file, shown, new Map([...(readCassetteFile(file, shown) ?? []), ...calls]));
  };
  const generate = async (request: ModelRequest, call: ModelCall): Promise<Generated> => {
    const kept = redactData(recordedRequest(request), redact) as RecordedRequest;
    const key = keyOf(kept);
    const slot = slots.get(key) ?? { request: kept, askedBy: new Set(), answers: [] };
    slots.set(key, slot);
    slot.askedBy.add(redact(askedBy(call)));
    const turn = slot.answers.push(null) - 1;
    try {
      const generated = await models.generate(request, call);
      slot.answers[turn] = redactData(answerOf(generated), redact) as RecordedAnswer;
      return generated;
    } catch (thrown) {
      if (!call.signal.aborted && thrown instanceof AgentError)
        slot.answers[turn] = { failure: redact(messageOf(thrown)) };
      throw thrown;
    } finally {
      if (Date.now() - saved >= SAVE_EVERY_MS) quietly(save);
    }
  };
  return { models: { generate }, count: () => answered(slots), save };
}

const answerOf = ({ text, usage, provider, model }: Generated): RecordedAnswer => ({
  text,
  usage,
  provider,
  model,
});

const askedBy = ({ from }: ModelCall): string => (from === undefined ? "" : `${from.graph}/${from.node}`);

/** The last save tells what is wrong with the file. */
function quietly(save: () => void): void {
  try {
    save();
  } catch {}
}

function callsIn(slots: ReadonlyMap<string, Slot>): RecordedCalls {
  const calls = [...slots].map(([key, slot]) => {
    const answers = slot.answers.filter((answer) => answer !== null);
    const names = [...slot.askedBy].filter((name) => name !== "").sort();
    return [key, { askedBy: names, request: slot.request, answers }] as const;
  });
  return new Map(calls.filter(([, { answers }]) => answers.length > 0));
}

const answered = (slots: ReadonlyMap<string, Slot>): number =>
  [...callsIn(slots).values()].reduce((sum, { answers }) => sum + answers.length, 0);

interface ReplayOptions {
  readonly shown: string;
  readonly redact: (text: string) => string;
  readonly calls: RecordedCalls;
}

function createReplay({ shown, redact, calls }: ReplayOptions): Replay {
  const used = new Map<RecordedCall, number>();
  const blanked = [...calls.values()].filter(({ request }) => JSON.stringify(request).includes(BLANK));
  let misses = 0;
  const generate = async (asked: ModelRequest, call: ModelCall): Promise<Generated> => {
    call.signal.throwIfAborted();
    const request = recordedRequest(asked);
    const safe = redactData(request, redact) as RecordedRequest;
    const found =
      calls.get(keyOf(request)) ??
      calls.get(keyOf(safe)) ??
      blanked.find((one) => fits(one.request, request) || fits(one.request, safe));
    if (found === undefined) {
      misses++;
      throw missing({ shown, calls }, { request: safe, askedBy: redact(askedBy(call)) });
    }
    const turn = used.get(found) ?? 0;
    used.set(found, turn + 1);
    const answer = found.answers[Math.min(turn, found.answers.length - 1)];
    if (answer === undefined || "failure" in answer)
      throw new AgentError("provider_failed", answer?.failure ?? "nothing is recorded");
    return answer;
  };
  return {
    models: { generate },
    misses: () => misses,
    unused: () => [...calls.values()].filter((one) => !used.has(one)),
  };
}

function missing(
  { shown, calls }: Pick<ReplayOptions, "shown" | "calls">,
  asked: { readonly request: RecordedRequest; readonly askedBy: string },
): AgentError {
  const difference = describeDifference(asked, calls.values());
  const why = difference === null ? "it holds no calls" : difference;
  return new AgentError(
    "provider_failed",
    `${shown} has no answer: ${why}; record it again with --record ${shown}`,
  );
}
