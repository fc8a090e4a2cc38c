import { z } from "zod";
import { answersJson, BODY_PROBLEMS } from "../http/openapi/operation.js";
import { json } from "../http/request/answer.js";
import { checkBody, mediaType, parseJsonBody, receiveBody } from "../http/request/body.js";
import { HttpProblem } from "../http/request/problem.js";
import type { Route } from "../http/route.js";
import { applyEdits } from "./edits/apply.js";
import { type Conflict, EditError, type SheetEdit } from "./edits/edit.js";
import { sheetIn } from "./sheet-access.js";
import { SHEET_NAME } from "./sheet-text.js";
import { checkCondition, mustBeWritable, noteWrite, textOf, WRITE_PROBLEMS, writing } from "./writing.js";

const MOST_EDITS = 1_000;
const MOST_BYTES = 1024 * 1024;

const row = { graph: z.string(), node: z.string() };
const after = z.strictObject(row).nullable();
const cells = z.record(z.string(), z.string());

const sheetEdit = z
  .discriminatedUnion("op", [
    z.strictObject({
      ...{ op: z.literal("set"), ...row, column: z.string(), from: z.string(), to: z.string() },
      quoted: z.boolean().optional(),
    }),
    z.strictObject({ op: z.literal("insert"), after, cells, line: z.string().optional() }),
    z.strictObject({ op: z.literal("remove"), ...row, cells }),
    z.strictObject({ op: z.literal("move"), ...row, after }),
    z.strictObject({ op: z.literal("raw"), record: z.int().min(0), from: z.string(), to: z.string() }),
  ])
  .meta({ id: "StudioEdit" });

const editsBody = z.strictObject({ edits: z.array(sheetEdit).max(MOST_EDITS) }).meta({ id: "StudioEdits" });

const editedBody = z
  .object({
    etag: z.string(),
    applied: z.int(),
    conflicts: z.array(
      z.object({
        edit: z.int().meta({ description: "Its place in the request." }),
        now: z
          .string()
          .nullable()
          .meta({ description: "What stands there; null when the row is gone or not unique." }),
      }),
    ),
  })
  .meta({ id: "StudioEdited" });

export const editSheet: Route = {
  method: "PATCH",
  path: "/studio/api/sheets/{sheet*}",
  permission: "write",
  operation: {
    operationId: "studioEdit",
    summary: "Change cells and rows of a sheet, each where it has the text that was seen",
    tag: "studio",
    names: SHEET_NAME,
    headers: [{ name: "If-Match", in: "header", schema: { type: "string" } }],
    body: { "application/json": { schema: editsBody } },
    answers: { "200": answersJson(editedBody, "What was applied, and what others have changed.") },
    problems: [...BODY_PROBLEMS, ...WRITE_PROBLEMS],
  },
  handle: async (context) => {
    mustBeWritable(context);
    const { path, name } = await sheetIn(context);
    mediaType(context.request, ["application/json"]);
    const { edits } = checkBody(editsBody, parseJsonBody(await receiveBody(context, MOST_BYTES)));
    let applied = 0;
    let conflicts: readonly Conflict[] = [];
    const etag = await writing(context, { name, path }, (before) => {
      if (before === null) throw new HttpProblem("sheet_not_found");
      checkCondition(context, before);
      const made = applyTo(textOf(path, before), edits);
      applied = made.applied;
      conflicts = made.conflicts;
      return Buffer.from(made.text);
    });
    noteWrite(context, name, { edits: edits.length, applied, conflicts: conflicts.length });
    return json({ etag, applied, conflicts }, 200, { ETag: etag });
  },
};

function applyTo(text: string, edits: readonly SheetEdit[]) {
  try {
    return applyEdits(text, edits);
  } catch (error) {
    if (!(error instanceof EditError)) throw error;
    const { edit, message } = error;
    const errors = [{ pointer: `/edits/${edit}`, message }];
    throw new HttpProblem("edit_invalid", { detail: `/edits/${edit}: ${message}`, more: { errors } });
  }
}
