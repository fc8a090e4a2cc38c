import type { TestCase, TestSheet } from "../../compiler/1-parse/test-sheet.js";
import type { OpenedTests } from "../../runtime/testing/open-tests.js";

/** The cases whose names hold what `--filter` says; all without it. */
export function chooseCases({ tests, workflow }: OpenedTests, filter: string | null) {
  const { sheet, cases, diagnostics } = tests;
  const known = new Map(cases.map((one) => [one.record, one]));
  const wanted = (filter ?? "").toLowerCase();
  const isChosen = (one: TestCase): boolean => {
    const graph =
      known.get(one.record)?.graph.name ?? one.cells.get("graph_name")?.text ?? workflow.graphs[0]?.name;
    return `${graph ?? ""}: ${one.cells.get("case")?.text ?? ""}`.toLowerCase().includes(wanted);
  };
  const all: TestSheet["cases"] = sheet?.cases ?? [];
  const others = new Set(all.filter((one) => !isChosen(one)).map(({ record }) => record));
  const chosen = cases.filter(({ record }) => !others.has(record));
  return {
    cases: chosen,
    /** The number of chosen cases that are invalid. */
    unread: all.length - others.size - chosen.length,
    /** The problems of the test sheet, without those of other cases. */
    diagnostics: diagnostics.filter(({ place }) => !others.has(recordOf(place?.cell ?? null))),
  };
}

/** The record of a cell such as `C5`, from 0; none for a problem that is no cell's. */
const recordOf = (cell: string | null): number => Number(/\d+$/.exec(cell ?? "")?.[0] ?? 0) - 1;
