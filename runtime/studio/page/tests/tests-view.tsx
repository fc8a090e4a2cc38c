import { useEffect } from "preact/hooks";
import { counted } from "../counted.js";
import { working } from "../counted-time.js";
import { oneLine } from "../sheet/shown-text.js";
import { opened } from "../state.js";
import { CaseDetails } from "./case-details.js";
import { loadTests, runTests } from "./run-tests.js";
import { type Case, chosenCase, coverage, shownCase, type Tests, tests } from "./test-state.js";

/** The cases of the test sheet beside the sheet, run one by one or all. */
export function TestsView() {
  const { name, etag } = opened.value ?? {};
  useEffect(() => {
    if (tests.value?.sheet !== name || tests.value?.etag !== etag) void loadTests();
  }, [name, etag, tests.value === null]);
  const present = tests.value;
  if (present === null || present.sheet !== name) return null;
  if (present.file === null)
    return <p class="nothing">{present.said === "" ? <NoTests name={present.sheet} /> : present.said}</p>;
  const chosen = present.cases[shownCase.value];
  return (
    <div class="halves">
      <div>
        <Head present={present} />
        <ul class="cases" aria-label="Cases">
          {present.cases.map((one, i) => (
            <li key={i}>
              <CaseLine one={one} at={i} isNamed={present.cases.some(({ graph }) => graph !== one.graph)} />
            </li>
          ))}
        </ul>
        {present.problems.map(({ message, cell }) => (
          <p key={`${cell}${message}`} class="said error test-problem">
            {cell === null ? "" : `${cell}: `}
            {oneLine(message)}
          </p>
        ))}
      </div>
      <div class="details">
        {chosen === undefined ? null : <CaseDetails one={chosen} />}
        <Missed />
      </div>
    </div>
  );
}

const NoTests = ({ name }: { readonly name: string }) => (
  <>
    There are no tests of {name}. A sheet <code>{name.replace(/(\.csv)?$/i, ".test.csv")}</code> beside it
    holds them, one row for each case. Run the graph, and keep that run as the first one.
  </>
);

function Head({ present }: { readonly present: Tests }) {
  const { cases, isRunning, said } = present;
  return (
    <p class="run-head">
      <button type="button" class="primary" disabled={isRunning} onClick={() => void runTests(null)}>
        Run all cases
      </button>
      <output class={said === "" ? "quiet" : "said error"}>{said === "" ? sumOf(cases) : said}</output>
      <span class="grow" />
      <CoverageWords />
    </p>
  );
}

function sumOf(cases: readonly Case[]): string {
  const count = (wanted: string): number =>
    cases.filter(({ state }) => typeof state === "object" && state.status === wanted).length;
  const [passed, failed] = [count("passed"), count("failed")];
  return passed + failed === 0 ? counted(cases.length, "case") : `${passed} passed, ${failed} failed`;
}

/** What all cases came to. */
function CoverageWords() {
  if (coverage.value === null) return null;
  const { nodes, edges } = coverage.value;
  return (
    <span class="quiet">
      tested: {nodes.taken} of {counted(nodes.total, "node")}, {edges.taken} of {counted(edges.total, "edge")}
    </span>
  );
}

/** What none came to, in words; the picture shows it dashed. */
function Missed() {
  const { nodes, edges } = coverage.value ?? {};
  const names = [...(nodes?.missed ?? []), ...(edges?.missed ?? [])];
  if (names.length === 0) return null;
  return (
    <section class="missed" aria-label="Not tested">
      <h3>No case came to</h3>
      <ul>
        {names.map((name) => (
          <li key={name}>{oneLine(name)}</li>
        ))}
      </ul>
    </section>
  );
}

const WORDS = { passed: "✓ passed", failed: "✕ failed", running: "running", idle: "not run" } as const;

interface LineView {
  readonly one: Case;
  readonly at: number;
  /** Several graphs have cases. */
  readonly isNamed: boolean;
}

function CaseLine({ one, at, isNamed }: LineView) {
  const { name, graph, state } = one;
  const word = typeof state === "object" ? state.status : state;
  return (
    <button
      type="button"
      class={`case ${word}`}
      aria-current={shownCase.value === at}
      onClick={() => {
        chosenCase.value = at;
      }}
    >
      <b class="case-state">{WORDS[word]}</b>
      <span class="case-name">
        {isNamed ? <span class="quiet">{oneLine(graph)}: </span> : null}
        {oneLine(name)}
      </span>
      <span class="step-time">{typeof state === "object" ? working(state.ms) : ""}</span>
    </button>
  );
}
