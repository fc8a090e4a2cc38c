import { readFileSync } from "node:fs";
import { type AgentFile, readAgentFile } from "../../compiler/agent-files/agent-file.js";
import { declaredFailures } from "../../compiler/agent-files/declared-failures.js";
import { declaredInputs, type Takes } from "../../compiler/agent-files/declared-inputs.js";
import { attempt } from "../../compiler/output/output-error.js";
import type { FoundAgent } from "../../runtime/agents/custom/find.js";

/** The types of the agents whose declared result includes a failure. Only files that speak of one are parsed. */
export function failingAgents(found: readonly FoundAgent[]): ReadonlySet<string> {
  const failures = new Map<string, ReadonlySet<string>>();
  for (const { file } of found) {
    if (failures.has(file)) continue;
    const text = readFileSync(file, "utf8");
    failures.set(file, /\b(?:fail|Failure)\b/.test(text) ? declaredFailures(fileOf(file, text)) : NONE);
  }
  return new Set(found.flatMap((one) => (failures.get(one.file)?.has(one.export) ? [one.type] : [])));
}

const NONE: ReadonlySet<string> = new Set();

export const takenBy = ({ file, export: name }: FoundAgent): Takes | undefined =>
  declaredInputs(
    fileOf(
      file,
      attempt("read", file, () => readFileSync(file, "utf8")),
    ),
    name,
  );

const files = new Map<string, { readonly text: string; readonly read: AgentFile }>();

/** A file is parsed again when it has changed. */
function fileOf(path: string, text: string): AgentFile {
  const known = files.get(path);
  if (known?.text === text) return known.read;
  const read = readAgentFile(text);
  files.set(path, { text, read });
  return read;
}
