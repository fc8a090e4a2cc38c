import { eventsIn, type StreamedEvent } from "../connection/event-stream.js";
import { server } from "../connection/present.js";
import { wordsOf } from "../connection/requests.js";
import { saveNow } from "../editing/sheet-editing.js";
import { opened } from "../state.js";
import { type Case, type Coverage, chosenCase, type Failure, type Tests, tests } from "./test-state.js";

interface Listed {
  readonly file: string | null;
  readonly cases: readonly { readonly case: string; readonly graph: string; readonly cell: string | null }[];
  readonly problems: Tests["problems"];
}

/** Lists the cases of the sheet that is shown. What came of them is of another text when it has changed. */
export async function loadTests(): Promise<void> {
  const { name: sheet = "", etag = "" } = opened.value ?? {};
  if (tests.value?.isRunning === true) return;
  try {
    const response = await server().ask(`api/tests?sheet=${encodeURIComponent(sheet)}`);
    const { file, cases, problems } = (await response.json()) as Listed;
    if (opened.value?.name !== sheet) return;
    chosenCase.value = null;
    tests.value = {
      ...{ sheet, etag, file, problems, isRunning: false, coverage: [], said: "" },
      cases: cases.map((one) => ({ name: one.case, graph: one.graph, cell: one.cell, state: "idle" })),
    };
  } catch (error) {
    const nothing = { file: null, cases: [], problems: [], isRunning: false, coverage: [] };
    tests.value = { sheet, etag, ...nothing, said: wordsOf(error).join(" ") };
  }
}

const change = (some: Partial<Tests>): void => {
  if (tests.value !== null) tests.value = { ...tests.value, ...some };
};

/** Runs all cases, or one of them. */
export async function runTests(only: Case | null): Promise<void> {
  const { sheet, isRunning } = tests.value ?? { sheet: "", isRunning: true };
  if (isRunning) return;
  change({ isRunning: true, said: "", ...(only === null ? { coverage: [] } : {}) });
  const wish = only === null ? { sheet } : { sheet, case: only.name, graph: only.graph };
  try {
    if (await saveNow()) await hearOut(wish, only === null);
    else change({ said: "The sheet is not saved yet." });
  } catch (error) {
    change({ said: wordsOf(error).join(" ") });
  }
  change({ isRunning: false });
}

async function hearOut(wish: object, areAll: boolean): Promise<void> {
  const response = await server().ask("api/tests", {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
    body: JSON.stringify(wish),
  });
  for await (const event of eventsIn(response)) take(event, areAll);
  if (tests.value?.isRunning === true) change({ said: "The connection broke off before the last case." });
}

function take({ type, data }: StreamedEvent, areAll: boolean): void {
  if (type === "case_start") put(data as unknown as ToldCase, "running");
  else if (type === "case_end") takeEnd(data as unknown as ToldCase);
  else if (type === "tests_end") {
    const { coverage } = data as unknown as { readonly coverage: readonly Coverage[] };
    change({ isRunning: false, ...(areAll ? { coverage } : {}) });
  }
}

function takeEnd(told: ToldCase): void {
  const { status, duration_ms: ms, path, failures } = told;
  put(told, { status, ms, path, failures });
  // The first one that fails is what a person wants to see.
  if (status === "failed" && chosenCase.value === null) chosenCase.value = placeOf(told);
}

interface ToldCase {
  readonly case: string;
  readonly graph: string;
  readonly cell: string | null;
  readonly status: "passed" | "failed";
  readonly duration_ms: number;
  readonly path: readonly string[] | null;
  readonly failures: readonly Failure[];
}

/** Cells are told apart where names are not; a case that was added since the list was made comes last. */
const placeOf = (told: ToldCase): number => {
  const cases = tests.value?.cases ?? [];
  const at = cases.findIndex(({ cell, name }) => cell === told.cell && name === told.case);
  return at < 0 ? cases.length : at;
};

function put(told: ToldCase, state: Case["state"]): void {
  const next: Case = { name: told.case, graph: told.graph, cell: told.cell, state };
  const cases = [...(tests.value?.cases ?? [])];
  cases[placeOf(told)] = next;
  change({ cases });
}
