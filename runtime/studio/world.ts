import { z } from "zod";
import { answersJson } from "../http/openapi/operation.js";
import { type Answer, notModified, text } from "../http/request/answer.js";
import { etagOf, isFresh } from "../http/request/etag.js";
import type { Route } from "../http/route.js";
import type { Service } from "../http/service.js";
import type { Surroundings } from "../workflows/world.js";
import { seenSheets } from "./sheet-access.js";
import type { ShelfSheet } from "./shelf.js";
import { surroundingsOf } from "./surroundings.js";
import type { WorldData } from "./world-data.js";

const worldBody = z.record(z.string(), z.json()).meta({ id: "StudioWorld" });

export const world: Route = {
  method: "GET",
  path: "/studio/api/world",
  permission: "read",
  operation: {
    operationId: "studioWorld",
    summary: "What the analysis of sheets must know of all around them",
    tag: "studio",
    answers: {
      "200": answersJson(worldBody, "Agents, texts of prompts, graphs of other sheets, what is lacking."),
    },
  },
  handle: async (context): Promise<Answer> => {
    const all = worldOf(context.service, await seenSheets(context));
    const body = JSON.stringify(context.principal.permissions.has("execute") ? all : withoutData(all));
    const etag = etagOf(body);
    const headers = { ETag: etag };
    return isFresh(context.request, etag) ? notModified(headers) : text("application/json", body, headers);
  },
};

/** The world of these sheets, read now. */
export function worldOf(service: Service, sheets: readonly ShelfSheet[]): WorldData {
  const { worldOf: around, tools } = surroundingsOf(service);
  const here = around({ path: null, shown: "", named: true });
  const { customAgents, possibleAgents } = here;
  const unique = <T>(of: (sheet: ShelfSheet) => ReadonlyMap<string, T>): readonly (readonly [string, T])[] =>
    [...new Map(sheets.flatMap((sheet) => [...of(sheet)]))].sort(([a], [b]) => (a < b ? -1 : 1));
  const types = new Set(sheets.flatMap(({ asked }) => [...asked.unknown]));
  return {
    unknownAgent: here.unknownAgent,
    customAgents: [...(customAgents ?? [])].sort(),
    possibleAgents: [...(possibleAgents ?? [])].sort(),
    passedOver: [...types].sort().flatMap((type) => {
      const found = here.passedOver?.(type) ?? null;
      return found === null ? [] : [{ type, file: found.file, what: found.what, cure: found.cure }];
    }),
    prompts: unique(({ asked }) => asked.prompts).map(([, { kind, name }]) => ({
      ...{ kind, name },
      ...here.prompt?.(kind, name),
    })),
    sheets: calledIn(sheets),
    connections: here.connections ? [...here.connections] : null,
    tools: tools(),
    tables: sheets.flatMap((sheet) => tablesOf(sheet, around)),
    lacks: unique(({ asked }) => asked.lacks).flatMap(([key, { type, settings }]) => {
      const found = here.lacks(type, settings);
      return found === null ? [] : [{ key, what: found.what, cure: found.cure }];
    }),
  };
}

/** Files of the data folder are for those who may run what reads them. Worksheets are a part of their workbook. */
const withoutData = (all: WorldData): WorldData => ({
  ...all,
  tables: all.tables.filter(({ found }) => !("rows" in found) || found.isWorksheet),
});

/** More rows would take longer over the wire than a page may wait. */
const MOST_ROWS = 5_000;

function tablesOf({ name, path, asked }: ShelfSheet, around: Surroundings["worldOf"]): WorldData["tables"] {
  const { table } = around({ path, shown: name, named: true });
  return [...asked.tables].sort().flatMap((one) => {
    const found = table?.(one) ?? null;
    const isLarge = found !== null && "rows" in found && found.rows.length > MOST_ROWS;
    return found === null || isLarge ? [] : [{ sheet: name, name: one, found }];
  });
}

function calledIn(sheets: readonly ShelfSheet[]): WorldData["sheets"] {
  const wanted = new Set(sheets.flatMap(({ asked }) => [...asked.graphs]));
  return sheets.map(({ name, group, graphs }) => ({
    ...{ name, group, graphs: graphs.map((graph) => graph.name) },
    called: graphs.filter((graph) => wanted.has(graph.name) || wanted.has(`${group}::${graph.name}`)),
  }));
}
