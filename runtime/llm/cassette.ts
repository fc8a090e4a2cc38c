import { AgentError, messageOf } from "../graph/contract/errors.js";
import type { Generated, LanguageModels, ModelCall, ModelRequest } from "../graph/contract/services.js";
import { redactData } from "../graph/tell/redact.js";
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
  /** The name in messages; the path by default. */
  readonly shown?: string;
  /** Removes secrets from recordings and messages. */
  readonly redact: (text: string) => string;
}

export interface Miss {
  /** The node that asked; empty when unknown. */
  readonly node: string;
  readonly why: string;
}

interface Slot {
  readonly request: RecordedRequest;
  readonly askedBy: Set<string>;
  /** In the order of the calls; null for an open or a cancelled one. */
  readonly answers: (RecordedAnswer | null)[];
}

/** Paid answers are saved after this time, in case the process is killed. */
const SAVE_EVERY_MS = 1_000;

/** Answers replace those of the same requests. Throws a `CassetteError` when the file is no cassette. */
export function createRecording(
  file: string,
  models: LanguageModels,
  { shown = file, redact }: CassetteOptions,
) {
  // Checked first, so that no answer is paid for in vain.
  readCassetteFile(file, shown);
  const slots = new Map<string, Slot>();
  let saved = 0;
  /** Without calls nothing is written. */
  const save = (): void => {
    const calls = callsIn(slots);
    if (calls.size === 0) return;
    saved = Date.now();
    writeCassetteFile(file, shown, new Map([...(readCassetteFile(file, shown) ?? []), ...calls]));
  };
  const saveQuietly = (): void => {
    try {
      save();
    } catch {
      // The last save reports the error.
    }
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
      const { text, usage, provider, model } = generated;
      slot.answers[turn] = redactData({ text, usage, provider, model }, redact) as RecordedAnswer;
      return generated;
    } catch (thrown) {
      if (!call.signal.aborted && thrown instanceof AgentError)
        slot.answers[turn] = { failure: redact(messageOf(thrown)) };
      throw thrown;
    } finally {
      if (Date.now() - saved >= SAVE_EVERY_MS) saveQuietly();
    }
  };
  const recording: LanguageModels = { generate };
  /** The number of answered or failed calls so far. */
  const count = (): number =>
    [...callsIn(slots).values()].reduce((sum, { answers }) => sum + answers.length, 0);
  return { models: recording, count, save };
}

const askedBy = ({ from }: ModelCall): string => (from === undefined ? "" : `${from.graph}/${from.node}`);

function callsIn(slots: ReadonlyMap<string, Slot>): RecordedCalls {
  const calls = [...slots].map(([key, slot]) => {
    const answers = slot.answers.filter((answer) => answer !== null);
    const names = [...slot.askedBy].filter((name) => name !== "").sort();
    return [key, { askedBy: names, request: slot.request, answers }] as const;
  });
  return new Map(calls.filter(([, { answers }]) => answers.length > 0));
}

/** Recorded calls of models. */
export type Cassette = ReturnType<typeof openCassette>;
export type Replay = ReturnType<Cassette["replay"]>;

/** Opens a file for replay. Throws a `CassetteError` when it is missing or no cassette. */
export function openCassette(file: string, { shown = file, redact }: CassetteOptions) {
  const calls = readCassetteFile(file, shown);
  if (calls === null) throw new CassetteError(`cannot open ${shown}: there is no such file`);
  return {
    /** Starts with the first answers. `onMiss` is called for each call without an answer. */
    replay: (onMiss: (miss: Miss) => void = () => {}) => createReplay(calls, { shown, redact, onMiss }),
  };
}

/** Models that give only recorded answers. */
function createReplay(
  calls: RecordedCalls,
  { shown, redact, onMiss }: Required<CassetteOptions> & { readonly onMiss: (miss: Miss) => void },
) {
  const used = new Map<RecordedCall, number>();
  const blanked = [...calls.values()].filter(({ request }) => JSON.stringify(request).includes(BLANK));
  const generate = async (given: ModelRequest, call: ModelCall): Promise<Generated> => {
    call.signal.throwIfAborted();
    const request = recordedRequest(given);
    const safe = redactData(request, redact) as RecordedRequest;
    const found =
      calls.get(keyOf(request)) ??
      calls.get(keyOf(safe)) ??
      blanked.find((one) => fits(one.request, request) || fits(one.request, safe));
    if (found === undefined) {
      const asked = { request: safe, askedBy: redact(askedBy(call)) };
      const difference = describeDifference(asked, calls.values()) ?? "it holds no calls";
      const why = `${shown} has no answer: ${difference}`;
      onMiss({ node: call.from?.node ?? "", why });
      throw new AgentError("provider_failed", `${why}; record it again with --record ${shown}`);
    }
    const turn = used.get(found) ?? 0;
    used.set(found, turn + 1);
    const answer = found.answers[Math.min(turn, found.answers.length - 1)];
    if (answer === undefined || "failure" in answer)
      throw new AgentError("provider_failed", answer?.failure ?? "nothing is recorded");
    return answer;
  };
  const models: LanguageModels = { generate };
  /** Recorded calls that nobody made. */
  const unused = (): readonly RecordedCall[] => [...calls.values()].filter((one) => !used.has(one));
  return { models, unused };
}
