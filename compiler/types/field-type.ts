/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A type a sheet can name, and the few that only inference makes (`unknown`, `union`). */
export type FieldType =
  | { readonly kind: "string" | "number" | "boolean" | "object" | "list" | "any" | "unknown" }
  | { readonly kind: "list-of"; readonly item: "string" | "number" | "boolean" | "object" }
  | { readonly kind: "choice"; readonly values: readonly string[] }
  | { readonly kind: "union"; readonly members: readonly FieldType[] };
