import { KINDS } from "../llm/settings.js";
import type { CheckedSections } from "./check-structure.js";
import { type Findings, meantText } from "./findings.js";
import { LOGGERS } from "./schema.js";

/** Checks what no single value shows: names that must fit each other. */
export function checkSections({ llm, logging }: CheckedSections, findings: Findings): void {
  if (llm !== undefined) checkProviders(llm, findings);
  for (const name of Object.keys(logging?.loggers ?? {})) {
    if (LOGGERS.some((logger) => logger === name)) continue;
    findings.warn("config-unknown-key", ["logging", "loggers", name], {
      message: `there is no logger ${JSON.stringify(name)}`,
      help: meantText(name, LOGGERS) ?? `loggers are ${LOGGERS.join(", ")}`,
      spot: "key",
    });
  }
}

function checkProviders(
  { default_provider: chosen, providers }: NonNullable<CheckedSections["llm"]>,
  findings: Findings,
): void {
  const names = Object.keys(providers);
  const known = [...names, ...KINDS.filter((kind) => kind !== "openai-compatible")];
  if (chosen !== null && !known.includes(chosen)) {
    findings.error("config-bad-value", ["llm", "default_provider"], {
      message: `llm.default_provider names a provider that is not there: ${JSON.stringify(chosen.slice(0, 80))}`,
      help: meantText(chosen, known) ?? `providers are ${known.join(", ")}`,
      effect: "stop",
    });
  }
  for (const name of names) {
    if (providers[name]?.kind !== "openai-compatible" || providers[name].base_url !== undefined) continue;
    findings.error("config-bad-value", ["llm", "providers", name], {
      message: `llm.providers.${name} is openai-compatible and has no base_url`,
      help: "write where it is, such as base_url: http://localhost:11434/v1",
      effect: "stop",
    });
  }
}
