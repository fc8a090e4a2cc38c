import type { CustomTypesConfig } from "pg";
import { numberOf } from "./rows.js";

type Read = (text: string) => unknown;

const raw: Read = (text) => text;

/** By the number that PostgreSQL gives each type. Times are ISO texts, and what has no form in JSON is as it is shown. */
const READERS: { readonly [oid: number]: Read } = {
  17: (text) => Buffer.from(text.replace(/^\\x/, ""), "hex").toString("base64"),
  20: numberOf,
  700: numberOf,
  701: numberOf,
  1700: numberOf,
  600: raw,
  718: raw,
  1082: raw,
  1114: (text) => text.replace(" ", "T"),
  1184: (text) => (Number.isNaN(Date.parse(text)) ? text : new Date(text).toISOString()),
  1186: raw,
};

export const typesOf = (pg: typeof import("pg")): CustomTypesConfig =>
  ({
    getTypeParser: (oid: number, format?: "text" | "binary") =>
      READERS[oid] ??
      (pg.types.getTypeParser as (oid: number, format?: string) => Read)(oid, format ?? "text"),
  }) as CustomTypesConfig;
