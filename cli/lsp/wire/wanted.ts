import { ErrorCodes, type Position, type Range, ResponseError } from "vscode-languageserver/node";

/** What clients send is looked at before it is used: a wrong parameter is answered, and never throws elsewhere. */

export interface NewDocument {
  readonly uri: string;
  readonly languageId: string;
  readonly version: number;
  readonly text: string;
}

export interface ContentChange {
  readonly range?: Range;
  readonly text: string;
}

type Data = { readonly [name: string]: unknown };

export const isData = (value: unknown): value is Data =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const wrong = (what: string): ResponseError<void> => new ResponseError(ErrorCodes.InvalidParams, what);

export function dataIn(value: unknown, name: string): Data {
  const found = isData(value) ? value[name] : undefined;
  if (!isData(found)) throw wrong(`${name} is missing`);
  return found;
}

export function textIn(value: unknown, name: string): string {
  const found = isData(value) ? value[name] : undefined;
  if (typeof found !== "string") throw wrong(`${name} must be text`);
  return found;
}

export const uriIn = (params: unknown): string => textIn(dataIn(params, "textDocument"), "uri");

function numberIn(value: Data, name: string): number {
  const found = value[name];
  // Some clients send the largest number that there is for the end of a line.
  if (typeof found !== "number" || !(found >= 0)) throw wrong(`${name} must be a number, 0 or more`);
  return Math.floor(found);
}

function positionOf(value: unknown, name: string): Position {
  const found = dataIn(value, name);
  return { line: numberIn(found, "line"), character: numberIn(found, "character") };
}

export const positionIn = (params: unknown): Position => positionOf(params, "position");

export function rangeIn(params: unknown): Range {
  const range = dataIn(params, "range");
  return { start: positionOf(range, "start"), end: positionOf(range, "end") };
}

export function newDocumentIn(params: unknown): NewDocument {
  const given = dataIn(params, "textDocument");
  const languageId = typeof given["languageId"] === "string" ? given["languageId"] : "";
  return { uri: textIn(given, "uri"), languageId, version: versionOf(given), text: textIn(given, "text") };
}

const versionOf = (document: Data): number =>
  typeof document["version"] === "number" ? document["version"] : 0;

export function changesIn(params: unknown): {
  readonly uri: string;
  readonly version: number;
  readonly changes: readonly ContentChange[];
} {
  const changes = isData(params) ? params["contentChanges"] : undefined;
  if (!Array.isArray(changes)) throw wrong("contentChanges is missing");
  return {
    uri: uriIn(params),
    version: versionOf(dataIn(params, "textDocument")),
    changes: changes.map((change: unknown) => {
      const text = textIn(change, "text");
      return isData(change) && isData(change["range"]) ? { range: rangeIn(change), text } : { text };
    }),
  };
}

/** The `uri` of each entry of a list. */
export function urisIn(params: unknown, name: string): readonly string[] {
  const list: unknown = isData(params) ? params[name] : undefined;
  if (!Array.isArray(list)) throw wrong(`${name} is missing`);
  return list.map((one: unknown) => textIn(one, "uri"));
}

export function foldersIn(params: unknown): {
  readonly added: readonly string[];
  readonly removed: readonly string[];
} {
  const event = dataIn(params, "event");
  return { added: urisIn(event, "added"), removed: urisIn(event, "removed") };
}
