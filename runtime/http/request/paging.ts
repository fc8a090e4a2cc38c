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
export const limitOf = (query: URLSearchParams, most: number): number =>
  Math.min(readLimit(query, most) ?? most, most);

/** The size of a page of runs or visits: more than the route's limit is refused. */
export function limitWithin(query: URLSearchParams, most: number, usual: number): number {
  const limit = readLimit(query, most) ?? usual;
  if (limit <= most) return limit;
  throw limitInvalid(most);
}

function readLimit(query: URLSearchParams, most: number): number | null {
  const given = query.get("limit");
  if (given === null) return null;
  if (/^\d{1,6}$/.test(given) && Number(given) >= 1) return Number(given);
  throw limitInvalid(most);
}

const limitInvalid = (most: number): Error =>
  inputInvalid([{ pointer: "/limit", message: `limit must be a whole number from 1 to ${most}` }]);

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
