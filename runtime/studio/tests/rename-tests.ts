import { isUtf8 } from "node:buffer";
import { z } from "zod";
import { answersJson, BODY_PROBLEMS } from "../../http/openapi/operation.js";
import { json } from "../../http/request/answer.js";
import { readJson } from "../../http/request/body.js";
import { HttpProblem } from "../../http/request/problem.js";
import type { Route } from "../../http/route.js";
import { workshopOf } from "../only-local.js";
import { bytesOf, readOnlyReason } from "../read-only.js";
import { findSheet, shelfOf } from "../sheet-access.js";
import { surroundingsOf } from "../surroundings.js";
import { mustBeWritable, noteWrite, WRITE_PROBLEMS, writing } from "../writing.js";

const renameBody = z
  .strictObject({ sheet: z.string(), graph: z.string(), from: z.string(), to: z.string() })
  .meta({ id: "StudioTestRename" });

const renamedBody = z
  .object({
    file: z.string().nullable().meta({ description: "The test sheet; null where there is none." }),
    cells: z.int().meta({ description: "So many of its cells have changed." }),
  })
  .meta({ id: "StudioTestsRenamed" });

export const renameTests: Route = {
  method: "POST",
  path: "/studio/api/tests/rename",
  permission: "write",
  operation: {
    operationId: "studioRenameTests",
    summary: "Give a node another name in the test sheet, too. Only the Studio of one machine does that",
    tag: "studio",
    body: { "application/json": { schema: renameBody } },
    answers: { "200": answersJson(renamedBody, "It is written.") },
    problems: [...BODY_PROBLEMS, ...WRITE_PROBLEMS],
  },
  handle: async (context) => {
    const workshop = workshopOf(context);
    mustBeWritable(context);
    const { service } = context;
    const { sheet: name, ...wish } = await readJson(context, renameBody);
    const sheet = await findSheet(context, name);
    const bytes = sheet === null ? null : bytesOf(sheet.path);
    if (sheet === null || bytes === null) throw new HttpProblem("sheet_not_found");
    const tests = shelfOf(service).testOf(sheet.name);
    if (tests === null) return json({ file: null, cells: 0 });
    const world = surroundingsOf(service).worldOf({ path: sheet.path, shown: name, named: true });
    let cells = 0;
    await writing(context, tests, (before) => {
      if (before === null) return null;
      const made = workshop.renameInTests({
        ...{ ...wish, world },
        sheet: { file: sheet.name, text: textOf(sheet.path, bytes) },
        tests: { file: tests.name, text: textOf(tests.path, before) },
      });
      if ("why" in made) throw new HttpProblem("edit_invalid", { detail: made.why });
      cells = made.cells;
      return cells === 0 ? null : Buffer.concat([markOf(before), Buffer.from(made.text)]);
    });
    if (cells > 0) noteWrite(context, tests.name, { cells });
    return json({ file: tests.name, cells });
  },
};

const MARK = Buffer.from("\ufeff");
const markOf = (bytes: Buffer): Buffer => (bytes.subarray(0, 3).equals(MARK) ? MARK : Buffer.alloc(0));

/** Without its mark. */
function textOf(path: string, bytes: Buffer): string {
  const reason = readOnlyReason(path, bytes, false);
  if (reason !== null || !isUtf8(bytes))
    throw new HttpProblem("sheet_read_only", {
      detail: `the test sheet is left: ${reason ?? "it is not UTF-8"}`,
    });
  return new TextDecoder().decode(bytes);
}
