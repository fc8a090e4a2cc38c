import { accessSync, constants } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Project } from "../../runtime/config/folders.js";
import type { Services } from "../../runtime/graph/contract/contract.js";
import type { LanguageModels } from "../../runtime/graph/contract/services.js";
import type { Cassette, createRecording, Replay } from "../../runtime/llm/cassette.js";
import { createRedactor } from "../../runtime/runs/redact.js";
import { EXIT, UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";

export interface Recording {
  /** The services of the run, with the models that record or replay. */
  readonly wrap: (services: Services) => Services;
  /** Saves the recording, and returns the exit code of the run. */
  readonly end: (code: number) => number;
}

/** Opens the file that `--record` or `--replay` names, before anything is run; null without one. */
export async function openRecording(
  context: Context,
  project: Project,
  given: Given,
): Promise<Recording | null> {
  const [record, replay] = [given.text("record"), given.text("replay")];
  if (record !== null && replay !== null)
    throw new UsageError("--record and --replay cannot go together", "record first, then replay");
  const shown = record ?? replay;
  if (shown === null) return null;
  const file = resolve(context.cwd, shown);
  if (record !== null) checkFolder(file, shown);
  const { createRecording, openCassette } = await import("../../runtime/llm/cassette.js");
  const options = { shown, redact: createRedactor(context.env, project) };
  return record === null
    ? replaying(context, openCassette(file, options), shown)
    : recording(context, (models) => createRecording(file, models, options), shown);
}

/** Answers cost money, so a file that cannot be written is reported before the first one. */
function checkFolder(file: string, shown: string): void {
  try {
    accessSync(dirname(file), constants.W_OK);
  } catch {
    throw new UsageError(`cannot write ${shown}: its folder is not there or may not be written`);
  }
}

function recording(
  { tell, note }: Context,
  record: (models: LanguageModels) => ReturnType<typeof createRecording>,
  shown: string,
): Recording {
  // Models are created on demand, so that unused settings are not read.
  let services: Services = {};
  const models: LanguageModels = {
    generate: (request, call) => {
      if (services.llm === undefined) throw new Error("the services of a run have language models");
      return services.llm.generate(request, call);
    },
  };
  const { models: llm, save, count } = record(models);
  return {
    wrap: (given) => {
      services = given;
      return withModels(given, llm);
    },
    end: (code) => {
      save();
      if (count() === 0) note(`no model was asked: nothing is recorded in ${shown}`);
      else tell("recorded", `${calls(count())} in ${shown}`);
      return code;
    },
  };
}

function replaying({ fail, detail }: Context, cassette: Cassette, shown: string): Recording {
  let misses = 0;
  const replay = cassette.replay(() => {
    misses++;
  });
  return {
    wrap: (services) => withModels(services, replay.models),
    end: (code) => {
      const unused = replay.unused();
      if (unused.length > 0) detail(`${shown}: not asked: ${unused.map(name).join(", ")}`);
      // A failure column may have hidden a missing answer, but the run differs from the recorded one.
      if (misses === 0 || code !== EXIT.done) return code;
      const help = `see why with --trace, or record again with --record ${shown}`;
      fail(`${calls(misses)} had no answer in ${shown}`, help);
      return EXIT.findings;
    },
  };
}

function name({ askedBy, request: { prompt } }: ReturnType<Replay["unused"]>[number]): string {
  const [line = ""] = prompt.trimStart().split("\n", 1);
  const short = line.length > 40 ? `${line.slice(0, 39)}…` : line;
  return `${askedBy.join(" and ") || "a call"} ${JSON.stringify(short)}`;
}

const calls = (count: number): string => (count === 1 ? "1 call of a model" : `${count} calls of models`);

/** The other services are still created on demand. */
const withModels = (services: Services, llm: LanguageModels): Services =>
  Object.freeze(
    Object.create(Object.prototype, {
      ...Object.getOwnPropertyDescriptors(services),
      llm: { value: llm, enumerable: true },
    }),
  );
