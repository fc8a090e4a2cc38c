/** Types of the services of agents. This file holds no code. */

import type { Json } from "../../../compiler/types/field-type.js";

export type StorageFormat = "json" | "csv" | "text";

export interface StorageQuery {
  /** Criteria by field, written as in COUNTIF (`">100"`, `"<>DE"`, `"*urgent*"`). All must hold. */
  readonly filter?: { readonly [field: string]: Json };
  readonly sort?: string | readonly string[];
  readonly order?: "asc" | "desc" | readonly ("asc" | "desc")[];
  readonly limit?: number;
  readonly offset?: number;
}

/** A file and the chosen entries of it. */
export interface StorageTarget {
  readonly format: StorageFormat;
  /** A path inside the data folder, with `/` between folders. */
  readonly file: string;
  /** The key of a mapping's entry, or the value of `idField` of a list's entry. */
  readonly id?: string | number;
  /** The field with the id of an entry; `id` by default. */
  readonly idField?: string;
  readonly query?: StorageQuery;
  readonly signal?: AbortSignal;
}

/** How cells of a CSV file are read. A column without a type holds text. */
export interface StorageColumns {
  readonly types: { readonly [column: string]: "string" | "number" | "boolean" | "date" };
  /** The sign before the fraction of a number; a point by default. */
  readonly decimal?: "." | ",";
  /** The sign between thousands of a number; none by default. */
  readonly thousands?: "." | "," | " " | "'";
  /** The form of dates, such as `dd.MM.yyyy`; ISO by default. */
  readonly dateFormat?: string;
}

export interface StorageRead extends StorageTarget {
  readonly columns?: StorageColumns;
  /** The value when the file or the entry is missing. Without it, that is an error. */
  readonly otherwise?: Json;
}

export type StorageMode = "write" | "append" | "update" | "delete";

export interface StorageWrite extends StorageTarget {
  readonly mode: StorageMode;
  /** The value to write; none for `delete`. */
  readonly value?: Json | undefined;
  /** `update` adds an entry that is missing. */
  readonly upsert?: boolean;
  /** The delimiter of a new CSV file; a comma by default. */
  readonly delimiter?: "," | ";" | "\t";
}

export interface StorageReceipt {
  /** A path inside the data folder. */
  readonly file: string;
  readonly mode: StorageMode;
  /** The entries that were written, changed or deleted. A whole document or text counts as one. */
  readonly count: number;
}

/**
 * The files of the data folder. A failed call rejects with an `AgentError`. It names the file as given, never the
 * path of the folder.
 */
export interface Storage {
  read(request: StorageRead): Promise<Json>;
  /** Replaces the file in one step: a reader sees the old content or the new one. */
  write(request: StorageWrite): Promise<StorageReceipt>;
}

/** A message of a conversation. */
export interface Turn {
  readonly role: "user" | "assistant";
  readonly text: string;
}

/** The tokens of calls of models. */
export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
}

export interface ModelRequest {
  /** A provider of the configuration, or a kind of provider. The default provider without it. */
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly temperature?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly system?: string | undefined;
  readonly prompt: string;
  /** The earlier messages of the conversation. */
  readonly history?: readonly Turn[] | undefined;
  /** The answer must be one of these. The caller checks it. */
  readonly choices?: readonly string[] | undefined;
  /** The answer must be JSON that fits this JSON schema, with an object as its root. The caller checks it. */
  readonly schema?: { readonly [key: string]: Json } | undefined;
  /** Asks for JSON with instructions alone, not with the provider's own option. */
  readonly plain?: boolean | undefined;
  /** Providers to ask, in this order, when one fails: `provider` or `provider/model`. */
  readonly fallback?: readonly string[] | undefined;
}

export interface ModelCall {
  readonly signal: AbortSignal;
  readonly log: { warn(message: string, details?: unknown): void };
  /** The node that asks, for logs and cassettes. */
  readonly from?: { readonly graph: string; readonly node: string } | undefined;
}

export interface Generated {
  /** Never empty. */
  readonly text: string;
  readonly usage: Usage;
  readonly provider: string;
  readonly model: string;
  /** The file that holds the answer. Asking again would give the same one. */
  readonly source?: string;
}

/** The language models of a project. A failed call throws an `AgentError` with the code `provider_failed`. */
export interface LanguageModels {
  generate(request: ModelRequest, call: ModelCall): Promise<Generated>;
}

/** A call of a host outside. Its address is checked, and so is each redirect. */
export interface WebCall {
  /** An address, or a path of the connection's host. */
  readonly url: string;
  readonly method: string;
  readonly headers: { readonly [name: string]: string };
  readonly body?: string | undefined;
  /** The connection of the configuration whose credential is sent along. */
  readonly connection?: string | undefined;
  readonly maxBytes?: number | undefined;
  /** Of all redirects together. */
  readonly timeoutMs?: number | undefined;
  /** How the body is read; `auto` goes by the type that the answer names. */
  readonly parse: "auto" | "json" | "text" | "csv";
  /** The statuses that are no error. Without it, those from 200 to 299. */
  readonly expect?: readonly number[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface WebAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string };
  /** The address that answered, after redirects. */
  readonly url: string;
  /** The body as data; null for an empty one. */
  readonly value: Json;
  /** The size of the body, after decompression. */
  readonly bytes: number;
}

/** A message for people. */
export interface Notice {
  readonly connection: string;
  readonly text: string;
  /** The same in every attempt. */
  readonly key: string;
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The hosts outside. A failed call rejects with an `AgentError`. It names the host alone. */
export interface Web {
  call(request: WebCall): Promise<WebAnswer>;
  notify(notice: Notice): Promise<void>;
}

export interface MailMessage {
  readonly connection: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly subject: string;
  readonly text: string;
  /** The text is HTML. */
  readonly html: boolean;
  /** Files of the data folder. */
  readonly attach: readonly string[];
  /** The same in every attempt. */
  readonly key: string;
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A call of a tool of another server. */
export interface ToolRequest {
  /** Of `mcp.servers`. */
  readonly server: string;
  readonly tool: string;
  readonly args: { readonly [name: string]: Json };
  /** The same in every attempt. */
  readonly key: string;
  readonly signal?: AbortSignal | undefined;
}
export interface Tools {
  /** Gives the data of the result, or its text. A call that fails rejects with an `AgentError`. */
  call(request: ToolRequest): Promise<Json>;
}
export interface Mail {
  /** Gives the id of the message. */
  send(message: MailMessage): Promise<string>;
}

/** A statement for a database. Between two texts a value is bound, so there is one text more than values. */
export interface SqlCall {
  readonly connection: string;
  readonly texts: readonly string[];
  readonly values: readonly Json[];
  /** True for a statement that gives rows, false for one that only changes some. */
  readonly givesRows: boolean;
  /** The database refuses whatever would change something. */
  readonly readOnly: boolean;
  /** The change is made once for this key, and its first result given again. */
  readonly key?: string | undefined;
  /** 10,000 without it. */
  readonly maxRows?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Databases {
  /** Gives a list of rows, each a mapping; else `{changes}`. A failed call rejects with an `AgentError`. */
  run(call: SqlCall): Promise<Json>;
}
