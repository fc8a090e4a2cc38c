import type { Content } from "../../compiler/files/replace-file.js";
import type { Json } from "../graph/contract/contract.js";
import type { StorageRead, StorageWrite } from "../graph/contract/services.js";
import type { OpenFile } from "./jail.js";

/** A file that is open, and how messages name it. */
export interface Source extends OpenFile {
  readonly shown: string;
  readonly signal: AbortSignal | undefined;
}

/** What becomes of a file: new content, or null when it goes. */
export interface Change {
  readonly content: Content | null;
  /** Asked for when the content has been taken. */
  readonly count: () => number;
}

/** Reads and changes files of one format. */
export interface Format {
  /** Undefined when the file has no such entry. */
  readonly read: (source: Source, request: StorageRead) => Promise<Json | undefined>;
  /** The source is null when there is no file yet. */
  readonly change: (source: Source | null, request: StorageWrite) => Promise<Change>;
}
