import type { Project } from "../../runtime/config/folders.js";
import type { StateData } from "../../runtime/graph/contract/contract.js";
import { createPromptResolver } from "../../runtime/prompts/resolve.js";
import { findGraph } from "../../runtime/workflows/find-graph.js";
import type { SheetPath } from "../../runtime/workflows/find-sheets.js";
import { type OpenedGraph, openGraph } from "../../runtime/workflows/open-graph.js";
import { understandContent } from "../../runtime/workflows/read-sheet.js";
import { notingPrompts } from "../../runtime/workflows/version-texts.js";
import { UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { openProject, sheetsToSearch } from "../project.js";
import { readContent, surroundingsOf } from "../sheets/read.js";
import { readGivenState } from "./given-state.js";

export interface Subject extends OpenedGraph {
  readonly sheet: SheetPath;
}

async function chooseSheet(
  context: Context,
  project: Project,
  operands: readonly string[],
  given: Given,
): Promise<SheetPath> {
  const csv = given.text("csv");
  if (csv !== null && operands.length > 0)
    throw new UsageError("the sheet is named twice", "name it with --csv or without");
  const sheets = await sheetsToSearch(context, project, { operands, csv: csv === null ? [] : [csv] });
  const [only] = sheets;
  if (only !== undefined && sheets.length === 1) return only;
  return findGraph({ sheets, graph: given.text("graph"), folders: project, encoding: context.encoding });
}

export async function openSubject(
  context: Context,
  project: Project,
  sheet: SheetPath,
  graph: string | null,
  encoding: string | null,
): Promise<Subject> {
  const content = await readContent(sheet, context);
  const about = { ...context, encoding };
  const { prompt, used: prompts } = notingPrompts(createPromptResolver(project));
  const world = { unknownAgent: "error", prompt } as const;
  const { worldOf, library } = surroundingsOf(about, project, [sheet], world);
  const understanding = understandContent(content, { shown: sheet.shown, encoding, world: worldOf(sheet) });
  const { root, agents } = project;
  const sources = { root, agents, sheet, library, prompts };
  return { ...(await openGraph(understanding, graph, sources)), sheet };
}

export interface OpenedRun {
  readonly project: Project;
  readonly subject: Subject;
  readonly state: StateData;
}

/** Opens the named graph and reads its input; `stdin` names another reader of standard input. */
export async function openRun(
  context: Context,
  operands: readonly string[],
  given: Given,
  stdin: "free" | "commands" = "free",
): Promise<OpenedRun> {
  const project = openProject(context);
  const sheet = await chooseSheet(context, project, operands, given);
  const readers = [sheet.path === null, given.text("state") === "-"].filter(Boolean).length;
  if (stdin === "commands" && readers > 0)
    throw new UsageError(
      "standard input is where the debugger reads its commands",
      "name the sheet's file, and give the state as JSON or @file",
    );
  if (readers > 1) throw new UsageError("standard input cannot be the sheet and the state");
  const subject = await openSubject(context, project, sheet, given.text("graph"), context.encoding);
  return { project, subject, state: await readGivenState(context, subject, given) };
}
