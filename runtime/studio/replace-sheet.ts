import { isUtf8 } from "node:buffer";
import { z } from "zod";
import { wideEncodingOf } from "../../compiler/1-parse/text/file-kind.js";
import { answersJson, BODY_PROBLEMS, textsOf } from "../http/openapi/operation.js";
import { json } from "../http/request/answer.js";
import { mediaType, receiveBody } from "../http/request/body.js";
import { etagOf } from "../http/request/etag.js";
import { HttpProblem } from "../http/request/problem.js";
import type { RequestContext, Route } from "../http/route.js";
import { MOST_BYTES } from "./read-only.js";
import { findSheet, type NamedSheet } from "./sheet-access.js";
import { SHEET_NAME } from "./sheet-text.js";
import {
  changed,
  checkCondition,
  mayReplace,
  mustBeWritable,
  noteWrite,
  placeFor,
  WRITE_PROBLEMS,
  writing,
} from "./writing.js";

const written = answersJson(z.object({ etag: z.string() }).meta({ id: "StudioWritten" }), "It is written.");

export const replaceSheet: Route = {
  method: "PUT",
  path: "/studio/api/sheets/{sheet*}",
  permission: "write",
  operation: {
    operationId: "studioReplace",
    summary: "Write a whole sheet, in place of a text that was seen or as a new one",
    tag: "studio",
    names: SHEET_NAME,
    headers: [
      { name: "If-Match", in: "header", schema: { type: "string" } },
      { name: "If-None-Match", in: "header", schema: { type: "string", enum: ["*"] } },
    ],
    body: textsOf(["text/csv"]),
    answers: { "200": written, "201": written },
    problems: [...BODY_PROBLEMS, ...WRITE_PROBLEMS, "condition_missing"],
  },
  handle: async (context) => {
    mustBeWritable(context);
    const isNew = context.request.headers["if-none-match"]?.trim() === "*";
    if (!isNew && context.request.headers["if-match"] === undefined)
      throw new HttpProblem("condition_missing", {
        detail: "send If-Match with the ETag of the text that is replaced, or If-None-Match: *",
      });
    mediaType(context.request, ["text/csv"]);
    const after = await receiveBody(context, MOST_BYTES);
    // Of UTF-16 without a mark the bytes are UTF-8, too, and the checks would read another text than runs do.
    if (!isUtf8(after) || wideEncodingOf(after) !== null)
      throw new HttpProblem("edit_invalid", { detail: "the text is not UTF-8" });
    const place = await placeOf(context, isNew);
    const etag = await writing(context, place, (before) => {
      if (isNew && before !== null) throw changed(context.graphs === null ? etagOf(before) : null);
      checkCondition(context, before);
      if (before !== null) mayReplace(place.path, before);
      return after;
    });
    noteWrite(context, place.name, { created: isNew, bytes: after.length });
    return json({ etag }, isNew ? 201 : 200, { ETag: etag });
  },
};

/** A sheet that is there, or the place of a new one. */
async function placeOf(context: RequestContext, isNew: boolean): Promise<NamedSheet> {
  const name = context.params.get("sheet") ?? "";
  const found = await findSheet(context, name);
  if (found !== null) return found;
  if (!isNew) throw changed(null);
  const path = placeFor(context, name);
  if (path === null) throw new HttpProblem("edit_invalid", { detail: "no sheet can have this name here" });
  return { name, path };
}
