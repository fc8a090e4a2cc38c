import { manyLines, oneLine } from "../sheet/shown-text.js";
import { runTests } from "./run-tests.js";
import { type Case, type Compared, type Failure, tests } from "./test-state.js";

/** One case: what was expected, beside what came. */
export function CaseDetails({ one }: { readonly one: Case }) {
  const { name, cell, state } = one;
  const outcome = typeof state === "object" ? state : null;
  return (
    <section aria-label={`Case ${name}`}>
      <div class="run-head case-head">
        <h3 class="grow">
          {oneLine(name)} {cell === null ? null : <span class="quiet">{cell}</span>}
        </h3>
        <button type="button" disabled={tests.value?.isRunning} onClick={() => void runTests(one)}>
          Run this case
        </button>
      </div>
      {state === "idle" ? (
        <p class="quiet">
          Not run yet. A run shows which way it takes, and what differs from what is expected.
        </p>
      ) : null}
      {outcome?.failures.map((failure, i) => (
        <FailureView key={i} failure={failure} />
      ))}
      {outcome?.path == null ? null : (
        <>
          <h4>Path</h4>
          <p class="whole">{outcome.path.map(oneLine).join(" › ")}</p>
        </>
      )}
    </section>
  );
}

function FailureView({ failure }: { readonly failure: Failure }) {
  const { column, cell, message, help, compared } = failure;
  return (
    <>
      <h4>
        {column} {cell === null ? "" : `· ${cell}`}
      </h4>
      <p class="said error">{manyLines(message)}</p>
      {compared.length === 0 ? null : <ComparedTable lines={compared} />}
      {help === null ? null : <p class="quiet">{manyLines(help)}</p>}
    </>
  );
}

const ComparedTable = ({ lines }: { readonly lines: readonly Compared[] }) => (
  <table class="compared">
    <thead>
      <tr>
        <td />
        <th scope="col">Expected</th>
        <th scope="col">Actual</th>
      </tr>
    </thead>
    <tbody>
      {lines.map(({ what, expected, actual }) => (
        <tr key={what} class={expected === actual ? "" : "differs"}>
          <th scope="row">{oneLine(what)}</th>
          <td>{manyLines(expected ?? "nothing")}</td>
          <td>{manyLines(actual ?? "nothing")}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
