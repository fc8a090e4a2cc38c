import { answersText } from "../http/openapi/operation.js";
import { notModified, text } from "../http/request/answer.js";
import { etagOf, isFresh } from "../http/request/etag.js";
import { HttpProblem } from "../http/request/problem.js";
import type { Route } from "../http/route.js";
import { bytesOf } from "./read-only.js";
import { sheetIn } from "./sheet-access.js";

export const SHEET_NAME = "The sheet's path, with each part encoded and `/` left as it is.";

export const sheetText: Route = {
  method: "GET",
  path: "/studio/api/sheets/{sheet*}",
  permission: "read",
  operation: {
    operationId: "studioSheet",
    summary: "The bytes of a sheet",
    tag: "studio",
    names: SHEET_NAME,
    answers: { "200": answersText("text/csv", "The file as it is, whatever its encoding.") },
    problems: ["sheet_not_found"],
  },
  handle: async (context) => {
    const sheet = await sheetIn(context);
    // Read again, so that text and tag belong together.
    const bytes = bytesOf(sheet.path);
    if (bytes === null) throw new HttpProblem("sheet_not_found");
    const etag = etagOf(bytes);
    const headers = { ETag: etag };
    return isFresh(context.request, etag) ? notModified(headers) : text("text/csv", bytes, headers);
  },
};
