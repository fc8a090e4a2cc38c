/** What a run lends its agents: types only. */

import type { Json } from "../../../compiler/types/field-type.js";

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

/** How the cells of a CSV file are read; columns without a type hold text. */
export interface StorageColumns {
  readonly types: { readonly [column: string]: "string" | "number" | "boolean" | "date" };
  /** Before the fraction of a number; a point without it. */
  readonly decimal?: "." | ",";
  /** Between the thousands of a number; nothing without it. */
  readonly thousands?: "." | "," | " " | "'";
  /** How dates are written, such as `dd.MM.yyyy`; ISO without it. */
  readonly dateFormat?: string;
}

export interface StorageRead extends StorageTarget {
  readonly columns?: StorageColumns;
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

/** One side of a conversation. */
export interface Turn {
  readonly role: "user" | "assistant";
  readonly text: string;
}

/** What calls of models cost. */
export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
}

/** What is asked of a language model. */
export interface ModelRequest {
  /** A provider of the configuration, or a kind of provider; the default one without it. */
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly temperature?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly system?: string | undefined;
  readonly prompt: string;
  /** What was said before. */
  readonly history?: readonly Turn[] | undefined;
  /** The answer is to be one of these. Whoever asks checks it. */
  readonly choices?: readonly string[] | undefined;
  /** The answer is to be JSON that fits this JSON schema, whose root is an object. Whoever asks checks it. */
  readonly schema?: { readonly [key: string]: Json } | undefined;
  /** Does not ask the provider for JSON in its own way: the instructions alone must do. */
  readonly plain?: boolean | undefined;
  /** Who is asked, one after the other, when a provider fails: `provider` or `provider/model`. */
  readonly fallback?: readonly string[] | undefined;
}

/** The visit that asks. */
export interface ModelCall {
  readonly signal: AbortSignal;
  readonly log: { warn(message: string, details?: unknown): void };
  /** The node that asks, for those who keep account. */
  readonly from?: { readonly graph: string; readonly node: string } | undefined;
}

/** What a model answered. */
export interface Generated {
  /** Never empty. */
  readonly text: string;
  readonly usage: Usage;
  readonly provider: string;
  readonly model: string;
  /** Where the answer is written down: to be asked again would change nothing. */
  readonly source?: string;
}

/** The language models of a project. A call that fails throws an `AgentError` with the code `provider_failed`. */
export interface LanguageModels {
  generate(request: ModelRequest, call: ModelCall): Promise<Generated>;
}
