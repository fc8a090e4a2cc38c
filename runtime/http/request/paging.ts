import { z } from "zod";
import type { ZodOpenApiParameterObject } from "zod-openapi";
import { inputInvalid } from "./problem.js";

export const pagesOf = (most: number): readonly ZodOpenApiParameterObject[] => [
  { name: "limit", in: "query", schema: { type: "integer", minimum: 1, maximum: most } },
  {
    name: "cursor",
    in: "query",
    schema: { type: "string" },
    description: "`next_cursor` of the page before.",
  },
];

/** The size of a page: as requested, up to the route's limit. */
export function limitOf(query: URLSearchParams, most: number): number {
  const given = query.get("limit");
  if (given === null) return most;
  const limit = Number(given);
  if (/^\d{1,6}$/.test(given) && limit >= 1) return Math.min(limit, most);
  throw inputInvalid([{ pointer: "/limit", message: `limit must be a whole number from 1 to ${most}` }]);
}

/** A cursor names the last item, so pages stay correct when items are added or removed. */
export const cursorOf = (parts: readonly (string | null)[]): string =>
  Buffer.from(JSON.stringify(parts)).toString("base64url");

export const cursorInvalid = (): Error =>
  inputInvalid([{ pointer: "/cursor", message: "this cursor leads nowhere any more: begin without one" }]);

const twoTexts = z.tuple([z.string(), z.string()]);

export function readCursor(cursor: string): readonly [string, string] {
  try {
    return twoTexts.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")));
  } catch {
    throw cursorInvalid();
  }
}
