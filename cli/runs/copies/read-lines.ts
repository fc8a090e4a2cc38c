import type { RunStatus } from "../../../runtime/durable/rows.js";
import { UsageError } from "../../failure.js";
import {
  all,
  type Check,
  count,
  flag,
  json,
  list,
  matching,
  number,
  object,
  oneOf,
  orNull,
  shape,
  text,
  time,
  unique,
} from "../shapes.js";
import { ENDED, type Line } from "./lines.js";

const OPEN: readonly RunStatus[] = ["queued", "running", "waiting", "stuck"];

const version = shape({
  ...{ version: text, graph: text, sheet: orNull(text), contract: count, texts: json, seen: time },
});

const id = matching(/^[0-9a-f]{32}$/);
/** Whoever has ended has a time of it, and nobody else. */
const endedInTime: Check = (value, at) => {
  const { status, ended } = value as { readonly status: RunStatus; readonly ended: number | null };
  return ENDED.includes(status) === (ended !== null) ? null : `${at}.ended`;
};

const row = shape({
  ...{ runId: id, graph: text, sheet: orNull(text), version: text, contract: count },
  ...{ status: oneOf([...OPEN, ...ENDED]), owner: orNull(text), epoch: count, recoveries: count },
  ...{ key: orNull(text), userId: orNull(text), startedBy: orNull(text) },
  parent: orNull(shape({ runId: text, at: text })),
  ...{ created: time, due: time, started: orNull(time), suspended: orNull(time) },
  ...{ ended: orNull(time), deadline: orNull(time), worked: number },
  ...{ held: orNull(text), errorCode: orNull(text), words: text },
  ...{ given: object, options: orNull(object), result: json, isErased: flag },
});

const step = shape({
  ...{ id: text, seq: count, pure: flag, node: text, visit: count, attempt: count, branch: list(count) },
  ...{ began: time, ended: time, outcome: text, worked: number },
  ...{ result: json, seen: json, writes: json, error: orNull(text) },
});

const ending: Check = (value, at) =>
  (value as { readonly kind?: unknown } | null)?.kind === "answer"
    ? shape({ answer: json })(value, at)
    : shape({ kind: oneOf(["over"]) })(value, at);

const wait = shape({
  ...{ id: text, seq: count, spec: object, about: json, opened: time },
  waiting: shape({ node: text, prompt: text }),
  ...{ until: orNull(time), remindAt: orNull(number), escalateAt: orNull(number) },
  ...{ ending: orNull(ending), answeredBy: orNull(text), endedAt: orNull(time) },
});

const event = shape({ at: time, type: text, event: json });

const run = shape({
  run: all(row, endedInTime),
  ...{ steps: all(list(step), unique("id")), waits: all(list(wait), unique("id")), events: list(event) },
});

/** The lines of an export, one at a time. The first that is none is refused with its number. */
export async function* linesIn(
  chunks: AsyncIterable<Uint8Array>,
  from: string,
): AsyncGenerator<Line, undefined> {
  let at = 0;
  for await (const bytes of splitLines(chunks)) {
    at += 1;
    if (bytes.length > 0) yield readLine(bytes, `line ${at} of ${from}`);
  }
}

/** Not by any other sign: texts of values may hold what else separates lines. */
async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  let begun: Uint8Array[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      yield Buffer.concat([...begun, chunk.subarray(from, end)]);
      begun = [];
      from = end + 1;
    }
    begun.push(chunk.subarray(from));
  }
  yield Buffer.concat(begun);
}

function readLine(bytes: Uint8Array, where: string): Line {
  const read = parsed(bytes);
  const isVersion = Object.hasOwn(Object(read), "version");
  const wrong = isVersion ? shape({ version })(read, "") : shape({ run })(read, "");
  if (wrong === null) return read as Line;
  const place = /[.[]/.test(wrong) ? `: ${wrong} is missing or wrong` : "";
  throw new UsageError(`${where} is nothing that runs export wrote${place}`);
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return null;
  }
}
