import { useEffect, useState } from "preact/hooks";
import { engine } from "../../connection/present.js";
import { counted } from "../../counted.js";
import type { Problem } from "../../engine/messages.js";
import { oneLine } from "../../sheet/shown-text.js";
import { opened } from "../../state.js";
import { beforeAndAfter, settledText } from "../sheet-editing.js";

/** So many are shown one by one. */
const MOST = 5;

/** The problems that would come with a save. */
export function Brought() {
  const [brought, setBrought] = useState<readonly Problem[]>([]);
  const sheet = opened.value;
  useEffect(() => {
    let isCurrent = true;
    const look = async (): Promise<void> => {
      await settledText();
      const text = beforeAndAfter()?.[0].text.replace(/^\ufeff/, "");
      if (text === undefined) return;
      const before = await engine.ask({ kind: "problems", text });
      if (isCurrent) setBrought(broughtTo(before, opened.value?.problems ?? []));
    };
    void look();
    return () => {
      isCurrent = false;
    };
  }, [sheet]);
  return (
    <output class="brought">
      {brought.length === 0 ? null : (
        <>
          <p>This brings {sumOf(brought)}:</p>
          <ul>
            {brought.slice(0, MOST).map((problem, i) => (
              <li key={i} class={`said ${problem.severity}`}>
                {problem.severity === "error" ? "✕ Error" : "! Warning"}, {placeOf(problem)}:{" "}
                {oneLine(problem.message)}
              </li>
            ))}
          </ul>
          {brought.length > MOST ? <p class="quiet">And {brought.length - MOST} more.</p> : null}
        </>
      )}
    </output>
  );
}

/** Those that were not there before, errors first. */
function broughtTo(before: readonly Problem[], after: readonly Problem[]): readonly Problem[] {
  const left = new Map<string, number>();
  for (const problem of before) left.set(keyOf(problem), (left.get(keyOf(problem)) ?? 0) + 1);
  const fresh = after.filter((problem) => {
    const count = left.get(keyOf(problem)) ?? 0;
    left.set(keyOf(problem), count - 1);
    return count <= 0;
  });
  return fresh.sort((a, b) => Number(b.severity === "error") - Number(a.severity === "error"));
}

/** Rows move, so their numbers do not count. */
const keyOf = ({ code, message, graph, node }: Problem): string =>
  JSON.stringify([code, message, graph, node]);

function sumOf(problems: readonly Problem[]): string {
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const warnings = problems.length - errors;
  return [
    ...(errors === 0 ? [] : [counted(errors, "error")]),
    ...(warnings === 0 ? [] : [counted(warnings, "warning")]),
  ].join(" and ");
}

function placeOf({ span, node }: Problem): string {
  if (span === null) return "the sheet";
  const column = opened.value?.columns.find(({ index }) => index === span.column)?.name;
  const of = node === null ? "" : ` of ${oneLine(node)}`;
  return `row ${span.record + 1}${column === undefined ? "" : `, ${column}${of}`}`;
}
