import { z } from "zod";
import { answersJson } from "../http/openapi/operation.js";
import { json } from "../http/request/answer.js";
import type { Route } from "../http/route.js";
import type { Service } from "../http/service.js";
import { seenSheets, shelfOf } from "./sheet-access.js";
import { type ShelfSheet, testNameOf } from "./shelf.js";

const sheetSummary = z
  .object({
    name: z.string().meta({ description: "Its path in the folder of the sheets." }),
    bytes: z.int(),
    etag: z.string(),
    graphs: z.array(z.object({ name: z.string(), nodes: z.int() })),
    errors: z.int(),
    warnings: z.int(),
    tests: z.int().meta({ description: "The number of its test sheets." }),
    writable: z.boolean(),
    reason: z.string().nullable().meta({ description: "Why it cannot be written." }),
  })
  .meta({ id: "StudioSheet" });

export const listSheets: Route = {
  method: "GET",
  path: "/studio/api/sheets",
  permission: "read",
  operation: {
    operationId: "studioSheets",
    summary: "The sheets, with what is wrong with them",
    tag: "studio",
    answers: { "200": answersJson(z.array(sheetSummary), "All sheets, by name.") },
  },
  handle: async (context) => {
    const { service } = context;
    const tests = shelfOf(service).tests();
    return json((await seenSheets(context)).map((sheet) => summaryOf(sheet, tests, service)));
  },
};

function summaryOf(sheet: ShelfSheet, tests: ReadonlySet<string>, { studio }: Service): object {
  const { name, bytes, etag, graphs, errors, warnings, reason: own } = sheet;
  const reason = studio?.may === "edit" ? own : "sheets are only read here: server.studio is read";
  return {
    ...{ name, bytes, etag, errors, warnings },
    graphs: graphs.map((graph) => ({ name: graph.name, nodes: graph.nodes.length })),
    tests: tests.has(testNameOf(name)) ? 1 : 0,
    writable: reason === null,
    reason,
  };
}
