import { chooseCell } from "../choose.js";
import { counted } from "../counted.js";
import { mend, mendAllSafe, safeCount } from "../editing/mending.js";
import { whyReadOnly } from "../editing/sheet-editing.js";
import type { Problem } from "../engine/messages.js";
import { chosen, problemList } from "../state.js";
import { oneLine, sentence } from "./shown-text.js";

/** All problems of the sheet; choosing one chooses its cell. */
export function Problems() {
  const list = problemList.value;
  if (list.length === 0) return <p class="nothing">No problems in this sheet.</p>;
  const safe = whyReadOnly.value === null ? safeCount() : 0;
  return (
    <>
      {safe === 0 ? null : (
        <p class="problem-head">
          <button type="button" onClick={() => mendAllSafe()}>
            Fix all safe ({safe})
          </button>
          <span class="quiet">These fixes cannot change what the sheet means.</span>
        </p>
      )}
      <ul class="problems">
        {list.map((problem, i) => (
          <li key={i} class="problem-item">
            <ProblemLine problem={problem} />
            {problem.fix === null || whyReadOnly.value !== null ? null : (
              <button type="button" class="fix" onClick={() => mend(problem)}>
                {oneLine(problem.fix.title)}
              </button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function ProblemLine({ problem }: { readonly problem: Problem }) {
  const { span, severity, code, message, label, help, node } = problem;
  const isChosen =
    span !== null && span.record === chosen.value?.record && span.column === chosen.value.column;
  const go = (): void => {
    if (span !== null) chooseCell(span.record, span.column);
  };
  return (
    <button type="button" class={`problem ${severity}`} aria-current={isChosen} onClick={go}>
      <b class="severity">{severity === "error" ? "✕ Error" : "! Warning"}</b>
      <span class="finding">
        {message}. <span class="quiet">{sentence(label ?? help)}</span>
      </span>
      <span class="where quiet">
        {span === null ? code : `row ${span.record + 1}`}
        {node === null ? "" : ` · ${node}`}
      </span>
    </button>
  );
}

export function problemCount(): string {
  const errors = problemList.value.filter(({ severity }) => severity === "error").length;
  const warnings = problemList.value.length - errors;
  return `${counted(errors, "error")}, ${counted(warnings, "warning")}`;
}
