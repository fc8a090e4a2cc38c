import { trimText } from "../../1-parse/text/white-space.js";
import { firsts } from "../../2-analyze/by-name.js";
import { normalizeAgent } from "../../agent-name.js";
import { foldName } from "../../diagnostics/suggest.js";
import { COLUMNS, TEST_COLUMNS } from "../../ir.js";
import type { View } from "../document.js";
import type { Layout, Meaning } from "../layout.js";
import type { Caret } from "./caret.js";
import { entryColumns } from "./cases.js";
import type { Offer, Offers } from "./completion.js";
import { settingColumns } from "./settings.js";

/** The columns that a header lacks, settings and entries of cases that may have one of their own. */
export function headerOffers(view: View, layout: Layout, caret: Caret): Offers {
  const others = layout.meanings.filter((_, column) => column !== caret.column);
  const offers =
    view.kind === "tests"
      ? [...testColumns(view, others), ...lackingEntries(view, caret)]
      : sheetColumns(view, others);
  return { start: 0, end: caret.text.length, offers };
}

function testColumns({ world }: View, others: readonly Meaning[]): readonly Offer[] {
  const lacking = TEST_COLUMNS.filter(
    (name) => !others.some((one) => one.kind === "test" && one.name === name),
  );
  return lacking.map((label) => ({ label, kind: "column", detail: world.about?.testColumns[label] ?? "" }));
}

/** Entries of the graphs that the cases name; of all graphs as long as they name none. */
function lackingEntries(view: View, caret: Caret): readonly Offer[] {
  const graphs = view.world.testedGraphs ?? [];
  const cases = view.tests?.cases.slice(0, MOST_ROWS) ?? [];
  const named = new Set(cases.map(({ cells }) => cells.get("graph_name")?.text));
  const used = graphs.filter(({ name }) => named.has(name));
  const taken = new Set(caret.cells.filter((_, column) => column !== caret.column).map(trimText));
  const offers = (used.length > 0 ? used : graphs).flatMap((graph) => entryColumns(view, graph));
  return [...firsts(offers, ({ label }) => label).values()].filter(({ label }) => !taken.has(label));
}

/** So many rows are asked which agents, or graphs, a sheet uses. */
const MOST_ROWS = 1000;

function sheetColumns(view: View, others: readonly Meaning[]): readonly Offer[] {
  const { about, world } = view.world;
  const lacking = COLUMNS.filter((name) => !others.some((one) => one.kind === "column" && one.name === name));
  const columns = lacking.map(
    (label): Offer => ({ label, kind: "column", detail: about?.columns[label] ?? "", rank: 0 }),
  );
  const taken = new Set(others.flatMap((one) => (one.kind === "setting" ? [foldName(one.name)] : [])));
  const rows = view.sheet?.rows.slice(0, MOST_ROWS) ?? [];
  const used = new Set(rows.map(({ agent }) => normalizeAgent(agent.name)));
  const facts = world.agents.filter(({ type, aliases }) =>
    [type, ...aliases].some((name) => used.has(normalizeAgent(name))),
  );
  const settings = settingColumns(facts, about ?? null)
    .filter(({ label }) => !taken.has(foldName(label)))
    .map((offer): Offer => ({ ...offer, label: `context.${offer.label}` }));
  return [...columns, ...settings];
}
