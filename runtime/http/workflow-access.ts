import { join } from "node:path";
import type { RowQuery } from "../durable/store.js";
import { sheetFrom } from "../runs/resume.js";
import type { Lookup, Workflow } from "../workflows/catalogue.js";
import { withoutHidden } from "./hidden-graphs.js";
import type { RequestContext } from "./route.js";

/** The caller of a request, as far as workflows ask for it. `graphs`: what its key is limited to. */
export interface Reader extends Pick<RequestContext, "graphs" | "service"> {
  /** Where not all workflows are told of by the way on which is asked. */
  readonly isShown?: (workflow: Workflow) => boolean;
}

/** `team/*` is every graph of the sheets below that folder of the workflows folder. */
const BELOW = "/*";

export interface Named {
  readonly graph: string;
  /** Relative to the workflows folder; null for a generated module. */
  readonly sheet: string | null;
}

/** What a key is not limited to is not there for it. */
export function mayUse({ graphs }: Pick<Reader, "graphs">, { graph, sheet }: Named): boolean {
  if (graphs === null) return true;
  return graphs.some((entry) =>
    entry.endsWith(BELOW) ? sheet?.startsWith(entry.slice(0, -1)) === true : entry === graph,
  );
}

export const workflowsFor = (reader: Reader): readonly Workflow[] =>
  reader.service.catalogue
    .list()
    .filter((workflow) => mayUseWorkflow(reader, workflow))
    .map((workflow) => asSeen(reader, workflow));

export function mayUseWorkflow(reader: Reader, workflow: Workflow): boolean {
  const { graphName: graph, sheet } = workflow;
  return mayUse(reader, { graph, sheet }) && reader.isShown?.(workflow) !== false;
}

/** Of several workflows of a name only those count that the caller may use. */
export function lookUp(reader: Reader, name: string): Lookup {
  const found = reader.service.catalogue.find(name);
  if ((reader.graphs === null && reader.isShown === undefined) || found.kind === "unknown") return found;
  if (found.kind === "found")
    return mayUseWorkflow(reader, found.workflow)
      ? { kind: "found", workflow: asSeen(reader, found.workflow) }
      : { kind: "unknown" };
  const [only, ...others] = workflowsFor(reader).filter((one) => found.names.includes(one.name));
  if (only === undefined) return { kind: "unknown" };
  if (others.length === 0) return { kind: "found", workflow: only };
  return { kind: "ambiguous", names: [only, ...others].map((one) => one.name) };
}

/** A limited key is told nothing of the graphs that its own call and it may not use, not even the types of their fields. */
function asSeen(reader: Reader, workflow: Workflow): Workflow {
  const { graphs, service } = reader;
  return graphs === null
    ? workflow
    : withoutHidden(workflow, {
        service,
        limit: graphs.join("\n"),
        mayUse: (named) => mayUse(reader, named),
      });
}

/** The same limit for lists of the store, whose sheets are named from the project's folder. */
export function withinLimit({ graphs, service: { project } }: Reader): Pick<RowQuery, "within"> {
  if (graphs === null) return {};
  const below = graphs.filter((entry) => entry.endsWith(BELOW));
  const folders = below.map((entry) => join(project.workflows, entry.slice(0, -BELOW.length)));
  return {
    within: {
      graphs: graphs.filter((entry) => !entry.endsWith(BELOW)),
      folders: folders.map((folder) => `${sheetFrom(project.root, folder)}/`),
    },
  };
}
