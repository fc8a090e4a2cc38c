import type { Paint } from "../../compiler/diagnostics/paint.js";
import { visible } from "../../compiler/diagnostics/visible.js";
import type { Change } from "./changes.js";
import type { Compared } from "./compare.js";

const INDENT = "  ";
const MARKS = { added: "+", removed: "-", renamed: "~", changed: "~", entry: "~", timezone: "~" } as const;

/** A graph and what has changed in it, node by node. */
export function comparedText({ graph, sheet, from, to, since, changes }: Compared, paint: Paint): string {
  const name = paint("strong", visible(graph));
  const place = paint("quiet", visible(sheet));
  if (since === null)
    return `${name}  ${place}\n${INDENT}no run of it is kept, so there is nothing to compare with\n`;
  const run = `since the run ${since.runId.slice(0, 8)} of ${since.created.slice(0, 16).replace("T", " ")} UTC`;
  const head = [name, versionsText(from, to), place, paint("quiet", run)].filter(Boolean).join("  ");
  const lines = byNode(changes).flatMap((group) => groupLines(group, paint));
  if (lines.length > 0 || to === null) return `${[head, ...lines].join("\n")}\n`;
  const isSame = from === null || from === to;
  return `${head}\n${INDENT}${isSame ? "nothing has changed" : "nothing has changed but graphs that it runs"}\n`;
}

function versionsText(from: string | null, to: string | null): string {
  if (from === null || from === to) return to === null ? "gone" : short(to);
  return `${short(from)} → ${to === null ? "gone" : short(to)}`;
}

const short = (version: string): string => version.slice(0, 4);

function byNode(changes: readonly Change[]): readonly (readonly Change[])[] {
  const groups: Change[][] = [];
  for (const change of changes) {
    const last = groups.at(-1);
    if (last !== undefined && nodeOf(last[0]!) === nodeOf(change) && nodeOf(change) !== null)
      last.push(change);
    else groups.push([change]);
  }
  return groups;
}

const nodeOf = (change: Change): string | null => ("node" in change ? change.node : null);

function groupLines(group: readonly Change[], paint: Paint): readonly string[] {
  const [first] = group as readonly [Change];
  const changed = group.filter((one) => one.kind === "changed");
  const size = Math.max(0, ...changed.map(({ what }) => what.length));
  return [
    `${INDENT}${MARKS[first.kind]} ${titleOf(first, paint)}`,
    ...changed.flatMap(({ what, before, after }) => [
      ...linesOf(what.padEnd(size), "-", before),
      ...linesOf(before === null ? what.padEnd(size) : " ".repeat(size), "+", after),
    ]),
  ];
}

function titleOf(change: Change, paint: Paint): string {
  switch (change.kind) {
    case "added":
      return `${paint("strong", visible(change.node))}  ${visible(change.agent)}  ${visible(change.way)}`;
    case "renamed":
      return `${paint("strong", visible(change.node))}  was ${visible(change.was)}`;
    case "entry":
    case "timezone":
      return `${change.kind}  ${visible(change.before ?? "none")} → ${visible(change.after ?? "none")}`;
    default:
      return paint("strong", visible(change.node));
  }
}

/** A text of several lines has the mark before each. */
function linesOf(title: string, mark: string, text: string | null): readonly string[] {
  if (text === null) return [];
  return text
    .split(/\r\n|\r|\n/)
    .map(
      (line, at) =>
        `${INDENT.repeat(3)}${at === 0 ? title : " ".repeat(title.length)}  ${mark} ${visible(line)}`,
    );
}
