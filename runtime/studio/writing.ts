import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { calledBy } from "../../compiler/2-analyze/tests/inside.js";
import { understandSheet } from "../../compiler/compile.js";
import { wayInside } from "../../compiler/files/inside.js";
import type { GraphIR } from "../../compiler/ir.js";
import { etagOf, tagsIn } from "../http/request/etag.js";
import { HttpProblem, type ProblemCode } from "../http/request/problem.js";
import type { RequestContext } from "../http/route.js";
import { mayUse, mayUseWorkflow } from "../http/workflow-access.js";
import { isNameMoved } from "../mcp/tool-names.js";
import { isTestSheet } from "../workflows/find-sheets.js";
import { sheetNameOf } from "../workflows/library.js";
import { NOWHERE } from "../workflows/nowhere.js";
import { sourceOf } from "../workflows/read-sheet.js";
import { SheetRecords } from "./edits/records.js";
import { MOST_BYTES, readOnlyReason } from "./read-only.js";
import { type NamedSheet, shelfOf } from "./sheet-access.js";
import { writeSheet } from "./write-sheet.js";

export const WRITE_PROBLEMS = [
  "sheet_not_found",
  "sheet_read_only",
  "sheet_changed",
  "edit_invalid",
  "sheet_busy",
  "sheet_unwritable",
] as const satisfies readonly ProblemCode[];

export function mustBeWritable({ service: { studio } }: RequestContext): void {
  if (studio?.may === "edit") return;
  throw new HttpProblem("permission_denied", { detail: "Sheets are only read here: server.studio is read." });
}

/** `If-Match` names the text that the request means. */
export function checkCondition({ request }: RequestContext, before: Buffer | null): void {
  const wanted = request.headers["if-match"];
  if (wanted === undefined) return;
  const etag = before === null ? null : etagOf(before);
  const isSame = etag !== null && (wanted.trim() === "*" || tagsIn(wanted).includes(etag));
  if (!isSame) throw changed(etag);
}

export const changed = (etag: string | null): HttpProblem =>
  new HttpProblem("sheet_changed", {
    ...(etag === null ? {} : { headers: { ETag: etag } }),
    more: { etag },
  });

/** The text of a sheet that may be written, with its mark. */
export function textOf(path: string, bytes: Buffer): string {
  mayReplace(path, bytes);
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  if (!new SheetRecords(text).isSound) refuse(readOnlyReason(path, bytes, true));
  return text;
}

/** Refuses a sheet that is only read here; damaged quotes may be replaced. */
export const mayReplace = (path: string, bytes: Buffer): void => refuse(readOnlyReason(path, bytes, false));

function refuse(reason: string | null): void {
  if (reason !== null) throw new HttpProblem("sheet_read_only", { detail: reason });
}

/** Writes a sheet for the caller, who must be allowed to use all graphs that it then has. */
export function writing(
  context: RequestContext,
  sheet: NamedSheet,
  change: (before: Buffer | null) => Buffer | null,
): Promise<string> {
  const { service, principal } = context;
  const { name, path } = sheet;
  return writeSheet({
    path,
    change: (before) => {
      const after = change(before);
      if (after !== null) checkContent(context, sheet, { before, after });
      return after;
    },
    writes: (etag) => shelfOf(service).wrote(name, etag, principal.userId ?? principal.name),
  });
}

interface Texts {
  readonly before: Buffer | null;
  readonly after: Buffer;
}

interface Change {
  readonly sheet: NamedSheet;
  readonly before: readonly GraphIR[];
  readonly after: readonly GraphIR[];
}

function checkContent(context: RequestContext, sheet: NamedSheet, { before, after }: Texts): void {
  if (after.length > MOST_BYTES)
    throw new HttpProblem("edit_invalid", { detail: "the sheet would be larger than 5 MB" });
  checkNames(context, sheet, after);
  checkToolNames(context, sheet, after);
  if (isTestSheet(sheet.path) || !mustUnderstand(context, after)) return;
  const change = { sheet, before: graphsIn(context, before), after: graphsIn(context, after) };
  checkTaken(context, { sheet, before, after });
  checkCalls(context, change);
  checkBeginnings(context, change);
}

/**
 * Understanding takes time: who may run all graphs can only take the path of another webhook. JSON may write the word
 * with escapes.
 */
const mustUnderstand = ({ graphs, principal }: RequestContext, after: Buffer): boolean =>
  graphs !== null || !principal.permissions.has("execute") || /web[\s_-]*hook|\\u/i.test(after.toString());

const graphsIn = ({ service: { encoding } }: RequestContext, bytes: Buffer | null): readonly GraphIR[] =>
  bytes === null
    ? []
    : understandSheet(sourceOf({ shown: "sheet.csv", encoding }, { bytes }), NOWHERE).graphs;

function checkNames({ graphs }: RequestContext, { name: sheet, path }: NamedSheet, after: Buffer): void {
  if (graphs === null) return;
  const names = namesIn(after);
  // Nobody with such a key would see it again.
  if (names.length === 0 && !isTestSheet(path))
    throw new HttpProblem("edit_invalid", {
      detail: "the sheet would name no graph: your key is limited to some graphs, and sees sheets by theirs",
    });
  if (names.every((graph) => mayUse({ graphs }, { graph, sheet }))) return;
  throw foreignGraphs();
}

const namesIn = (bytes: Buffer | null): readonly string[] =>
  bytes === null ? [] : new SheetRecords(bytes.toString()).graphs();

const foreignGraphs = (): HttpProblem =>
  new HttpProblem("permission_denied", { detail: "The sheet would have graphs that the key may not use." });

/** A second graph of a name would make each call by that name ambiguous, also those of graphs that the key may not use. */
function checkTaken(
  context: RequestContext,
  { sheet, before, after }: Texts & { readonly sheet: NamedSheet },
): void {
  if (context.graphs === null) return;
  const known = new Set(namesIn(before));
  const added = new Set(namesIn(after).filter((name) => !known.has(name)));
  const isTaken = context.service.catalogue
    .list()
    .some((one) => added.has(one.graphName) && one.sheet !== sheet.name && !mayUseWorkflow(context, one));
  if (isTaken) throw foreignGraphs();
}

/** Assistants were told what a tool's name means: a limited key cannot make it mean another workflow. */
function checkToolNames({ graphs, service }: RequestContext, sheet: NamedSheet, after: Buffer): void {
  const { settings, catalogue, project } = service;
  if (graphs === null || !settings.server.mcp.enabled || isTestSheet(sheet.path)) return;
  const before = catalogue.list();
  const group = sheetNameOf(sheet.path, project.workflows);
  const own = new SheetRecords(after.toString()).graphs().map((graphName) => ({ group, graphName }));
  if (!isNameMoved(before, [...before.filter((one) => one.group !== group), ...own])) return;
  throw new HttpProblem("edit_invalid", {
    detail: "a tool of assistants would mean another graph than before: choose another name for the graph",
  });
}

/** A limited key adds no call of a graph that it may not use. Such a graph, and none at all, are the same to it. */
function checkCalls(context: RequestContext, { sheet, before, after }: Change): void {
  if (context.graphs === null) return;
  const known = new Set(callsOut(context, sheet, before).map(callKey));
  const added = callsOut(context, sheet, after).filter((call) => !known.has(callKey(call)));
  const listed = added.length === 0 ? [] : context.service.catalogue.list();
  for (const { to } of added) {
    const named = listed.filter(
      ({ sheet: where, graphName, group }) =>
        where !== sheet.name && (graphName === to || `${group}::${graphName}` === to),
    );
    const isKnown = named.length > 0 && named.every((one) => mayUseWorkflow(context, one));
    if (!isKnown)
      throw new HttpProblem("permission_denied", {
        detail: "The sheet would run graphs that the key may not use.",
      });
  }
}

interface Call {
  readonly from: string;
  readonly to: string;
}

/** Names may hold blanks, so no sign stands between two of them. */
const callKey = ({ from, to }: Call): string => JSON.stringify([from, to]);

/** The calls that lead to graphs of other sheets. */
function callsOut(
  { service: { project } }: RequestContext,
  { path }: NamedSheet,
  graphs: readonly GraphIR[],
): readonly Call[] {
  const group = sheetNameOf(path, project.workflows);
  const own = new Set(graphs.flatMap(({ name }) => [name, `${group}::${name}`]));
  return graphs.flatMap(({ name: from, nodes }) =>
    nodes.flatMap((node) => {
      const to = calledBy(node);
      return to === null || own.has(to) ? [] : [{ from, to }];
    }),
  );
}

/** Others begin runs by a webhook, and time by a schedule: to write one is to run the graph. */
function checkBeginnings(context: RequestContext, { sheet, before, after }: Change): void {
  const known = new Map(before.map((graph) => [graph.name, graph]));
  const hooks = after.filter((graph) => isNew(graph.webhook, known.get(graph.name)?.webhook));
  const isScheduled = after.some((graph) => isNew(scheduleOf(graph), scheduleOf(known.get(graph.name))));
  if ((hooks.length > 0 || isScheduled) && !context.principal.permissions.has("execute"))
    throw new HttpProblem("permission_denied", {
      detail: "A new or changed webhook or schedule needs the permission execute.",
      more: { required: ["execute"] },
    });
  for (const { webhook } of hooks) if (webhook !== null) checkPath(context, sheet, webhook.path);
}

const isNew = (now: object | null, then: object | null = null): boolean =>
  now !== null && JSON.stringify(now) !== JSON.stringify(then);

const scheduleOf = (graph: GraphIR | undefined): object | null =>
  graph === undefined || graph.schedule === null ? null : { at: graph.schedule, zone: graph.timezone };

/** Two webhooks of one path would both be of no use. */
function checkPath(context: RequestContext, sheet: NamedSheet, path: string): void {
  const other = context.service.catalogue
    .list()
    .find((one) => one.ir.webhook?.path === path && one.sheet !== sheet.name);
  if (other === undefined) return;
  const whose = mayUseWorkflow(context, other) ? ` by ${JSON.stringify(other.name)} (${other.source})` : "";
  throw new HttpProblem("edit_invalid", { detail: `the webhook path ${path} is taken${whose}` });
}

/** No text of a cell is logged. */
export function noteWrite(
  { service, principal, id }: RequestContext,
  sheet: string,
  what: { readonly [name: string]: number | boolean },
): void {
  const by = principal.userId ?? principal.name;
  service.loggers.of("flowsheet.http").info("a sheet was written", { by, sheet, ...what, request_id: id });
}

/** The place of a new sheet; null for a name that none can have. */
export function placeFor({ service: { project } }: RequestContext, name: string): string | null {
  const parts = name.split("/");
  const isSound = parts.every((part) => /^[^\0-\x1f\\/:*?"<>|.][^\0-\x1f\\/:*?"<>|]*$/.test(part));
  const isPlain = parts.every((part) => part.trim() === part && !/\p{C}/u.test(part));
  if (!isSound || !isPlain || parts.includes("node_modules")) return null;
  if (!/\.csv$/i.test(name) || /\.test\.csv$/i.test(name)) return null;
  if (project.isFlat && parts.length > 1) return null;
  const path = join(project.workflows, ...parts);
  // A new project may have no folder yet: the write makes it.
  if (parts.length === 1 && !existsSync(project.workflows)) return path;
  return isFolderInside(project.workflows, dirname(path)) ? path : null;
}

/** No link leads out. */
function isFolderInside(root: string, folder: string): boolean {
  try {
    return wayInside(realpathSync(root), realpathSync(folder)) !== null;
  } catch {
    return false;
  }
}
