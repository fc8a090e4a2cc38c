import type { Content } from "../../compiler/files/replace-file.js";
import type { Json } from "../graph/contract/contract.js";
import type { StorageRead, StorageWrite } from "../graph/contract/services.js";
import type { OpenFile } from "./jail.js";

/** A file that is open, and how messages name it. */
export interface Source extends OpenFile {
  readonly shown: string;
  readonly signal: AbortSignal | undefined;
}

export interface Change {
  readonly content: Content;
  /** Asked for when the content has been taken. */
  readonly count: () => number;
}

export interface Format {
  /** Undefined when the file has no such entry. */
  readonly read: (source: Source, request: StorageRead) => Promise<Json | undefined>;
  /** The source is null when there is no file yet. That a whole file is removed is no format's concern. */
  readonly change: (source: Source | null, request: StorageWrite) => Promise<Change>;
}

/** True for a write that is about a whole file, not about entries in it. */
export const isWhole = ({ id, query }: StorageWrite): boolean => id === undefined && query === undefined;
