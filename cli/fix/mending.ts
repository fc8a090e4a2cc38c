import { type Code, catalogue } from "../../compiler/diagnostics/catalogue.js";
import { suggest } from "../../compiler/diagnostics/suggest.js";
import { UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Mending } from "./mend.js";

/** What `--fix`, `--select` and `--dry-run` ask for; null when nothing is to be mended. */
export function mendingOf(given: Given): Mending | null {
  const show = given.flag("dryRun");
  const codes = selectedCodes(given.list("select"));
  const isAsked = given.flag("fix") || given.text("fix") !== null;
  if (!show && !isAsked) {
    if (codes !== null) throw new UsageError("--select chooses what --fix mends", "add --fix or --dry-run");
    return null;
  }
  return { mode: show ? "show" : "write", choice: { unsafe: given.text("fix") === "unsafe", codes } };
}

function selectedCodes(lists: readonly string[]): ReadonlySet<Code> | null {
  if (lists.length === 0) return null;
  const names = lists.flatMap((list) => list.split(",")).map((name) => name.trim());
  const codes = names.filter((name) => name !== "").map(codeNamed);
  if (codes.length === 0) throw new UsageError("--select needs a code", "flowsheet explain lists all codes");
  return new Set(codes);
}

function codeNamed(name: string): Code {
  if (Object.hasOwn(catalogue, name)) return name as Code;
  const near = suggest(name, Object.keys(catalogue));
  const help = near === null ? "flowsheet explain lists all codes" : `did you mean ${near}?`;
  throw new UsageError(`--select knows no diagnostic ${JSON.stringify(name)}`, help);
}
