/** What a run lends its agents: types only. */

import type { Json } from "./contract.js";

/** How the content of a file is understood. */
export type StorageFormat = "json" | "csv" | "text";

/** Chooses entries of a list. */
export interface StorageQuery {
  /** Field to criterion, as COUNTIF has them (`">100"`, `"<>DE"`, `"*urgent*"`); all must hold. */
  readonly filter?: { readonly [field: string]: Json };
  readonly sort?: string | readonly string[];
  readonly order?: "asc" | "desc" | readonly ("asc" | "desc")[];
  readonly limit?: number;
  readonly offset?: number;
}

/** A file, and the entries of it that are meant. */
export interface StorageTarget {
  readonly format: StorageFormat;
  /** A path inside the data folder, with `/` between folders. */
  readonly file: string;
  /** The entry of a mapping, or of a list the one whose `idField` has this value. */
  readonly id?: string | number;
  /** `id` without it. */
  readonly idField?: string;
  readonly query?: StorageQuery;
  readonly signal?: AbortSignal;
}

export interface StorageRead extends StorageTarget {
  /** Given when the file or the entry is not there; without it that is an error. */
  readonly otherwise?: Json;
}

export type StorageMode = "write" | "append" | "update" | "delete";

export interface StorageWrite extends StorageTarget {
  readonly mode: StorageMode;
  /** What to write; nothing for `delete`. */
  readonly value?: Json | undefined;
  /** `update` adds what is not there. */
  readonly upsert?: boolean;
  /** Between the cells of a new CSV file; a comma without it. */
  readonly delimiter?: "," | ";" | "\t";
}

/** What was done. */
export interface StorageReceipt {
  /** The file's path inside the data folder. */
  readonly file: string;
  readonly mode: StorageMode;
  /** Entries written, changed or deleted; a whole document or text counts as one. */
  readonly count: number;
}

/**
 * The files of the data folder. A call that fails rejects with an `AgentError`, which names the file as it was
 * given, never where the folder is.
 */
export interface Storage {
  read(request: StorageRead): Promise<Json>;
  /** Replaces the file at once: a reader sees what was there before or what is there now. */
  write(request: StorageWrite): Promise<StorageReceipt>;
}
