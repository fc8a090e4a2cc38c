import type { Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import type { Content } from "../../compiler/files/replace-file.js";
import type { Json } from "../graph/contract/contract.js";
import type { StorageRead, StorageWrite } from "../graph/contract/services.js";

export interface Source {
  readonly handle: FileHandle;
  readonly stats: Stats;
  readonly shown: string;
  readonly signal: AbortSignal | undefined;
}

export interface Change {
  readonly content: Content;
  /** Valid after the content was consumed. */
  readonly count: () => number;
}

export interface Format {
  /** Undefined when there is no such entry. */
  readonly read: (source: Source, request: StorageRead) => Promise<Json | undefined>;
  /** The source is null for a new file. Deleting a whole file needs no format. */
  readonly change: (source: Source | null, request: StorageWrite) => Promise<Change>;
}

export const isWhole = ({ id, query }: StorageWrite): boolean => id === undefined && query === undefined;
