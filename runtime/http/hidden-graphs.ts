import { join, relative, sep } from "node:path";
import { calledBy } from "../../compiler/2-analyze/tests/inside.js";
import type { Understanding } from "../../compiler/compile.js";
import type { Workflow } from "../workflows/catalogue.js";
import { readSheetFile, understandContent } from "../workflows/read-sheet.js";
import { WorkflowError } from "../workflows/workflow-error.js";
import { createSurroundings, type WorldOptions } from "../workflows/world.js";
import type { Service } from "./service.js";
import type { Named } from "./workflow-access.js";

interface Limited {
  readonly service: Service;
  /** The graphs of the key, as one text. */
  readonly limit: string;
  readonly mayUse: (named: Named) => boolean;
}

/** What each limit sees of a sheet, for as long as the sheet is not read again. */
const known = new WeakMap<Understanding, Map<string, Understanding | null>>();

/**
 * The workflow as if nobody knew the hidden graphs that its sheet calls: its types and problems say nothing of theirs.
 * Runs take the sheet itself.
 */
export function withoutHidden(workflow: Workflow, limited: Limited): Workflow {
  const { understanding, graphName } = workflow;
  if (understanding === null || !callsOthers(understanding)) return workflow;
  const seen = known.get(understanding) ?? new Map<string, Understanding | null>();
  known.set(understanding, seen);
  if (!seen.has(limited.limit)) seen.set(limited.limit, understood(understanding.file, limited));
  const limitedTo = seen.get(limited.limit) ?? null;
  const ir = limitedTo?.graphs.find(({ name }) => name === graphName);
  return ir === undefined
    ? { ...workflow, understanding: null }
    : { ...workflow, ir, understanding: limitedTo };
}

function callsOthers({ graphs }: Understanding): boolean {
  const own = new Set(graphs.map(({ name }) => name));
  return graphs.some(({ nodes }) =>
    nodes.some((node) => {
      const called = calledBy(node);
      return called !== null && !own.has(called);
    }),
  );
}

/** Null when the sheet is not there any more. */
function understood(shown: string, { service, mayUse }: Limited): Understanding | null {
  const { project: folders, env, encoding, agents } = service;
  const path = join(folders.workflows, shown);
  const sheet = { path, shown, named: true };
  const registered = Object.keys(agents);
  const { worldOf } = createSurroundings({
    ...{ folders, env, encoding, registered, sheets: [sheet], unknownAgent: "error" },
    isSeen: seenGraphs(service, mayUse),
  });
  try {
    return understandContent(readSheetFile(sheet), { shown, encoding, world: worldOf(sheet) });
  } catch (error) {
    if (error instanceof WorkflowError) return null;
    throw error;
  }
}

/** Which graphs of other sheets the analysis is told of. */
export const seenGraphs =
  ({ project }: Service, mayUse: Limited["mayUse"]): NonNullable<WorldOptions["isSeen"]> =>
  ({ sheet: { path }, name: graph }) =>
    mayUse({ graph, sheet: path === null ? null : relative(project.workflows, path).replaceAll(sep, "/") });
