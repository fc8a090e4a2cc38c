import type { FieldType } from "../ir.js";
import { typeMembers as members } from "../types/typescript.js";
import { propertyKey, stringLiteral } from "./literals.js";

/** A field's type as TypeScript writes it: the members of a union. */
export const typeMembers = (type: FieldType): readonly string[] => members(type, stringLiteral);

/** A type on one line. */
export const typeText = (type: FieldType): string => typeMembers(type).join(" | ");

/** The members of an object type. */
export const objectType = (entries: readonly (readonly [key: string, entry: Entry])[]): string =>
  `{ ${entries.map(([key, { type, sure }]) => `readonly ${propertyKey(key)}${sure ? "" : "?"}: ${type}`).join("; ")} }`;

interface Entry {
  readonly type: string;
  readonly sure: boolean;
}
