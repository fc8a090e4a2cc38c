import { setImmediate } from "node:timers/promises";
import {
  type CancellationToken,
  ErrorCodes,
  LSPErrorCodes,
  type ProtocolConnection,
  ResponseError,
} from "vscode-languageserver/node";
import { visible } from "../../compiler/diagnostics/visible.js";
import type { View } from "../../compiler/service/document.js";
import type { Context } from "../process/context.js";
import { isOutside } from "./around/outside.js";
import type { Desk } from "./open/desk.js";
import type { OpenFile } from "./open/open-file.js";
import type { Client } from "./wire/client.js";
import { uriIn } from "./wire/wanted.js";

/** What a request is answered from. */
export interface Asked {
  readonly file: OpenFile;
  readonly view: View;
  readonly desk: Desk;
}

/** What answers need beside the text that they are about. */
export interface FeaturesOptions {
  readonly connection: ProtocolConnection;
  readonly context: Context;
  readonly client: Client;
  readonly desk: Desk;
}

export type Answer = (params: unknown, token: CancellationToken | undefined) => unknown;

export interface RequestsOptions {
  readonly connection: ProtocolConnection;
  readonly desk: Desk;
  readonly onBug: (what: string, error: unknown) => void;
}

/**
 * Answers a request of any kind: what it throws is answered in a word, and a text that has changed meanwhile makes the
 * answer void.
 */
export function createRequests({ connection, desk, onBug }: RequestsOptions) {
  const on = (method: string, answer: Answer): void => {
    connection.onRequest(method, async (params: unknown, token?: CancellationToken) => {
      try {
        if (isCancelled(token)) return cancelled();
        const result = await answer(params, token);
        return isCancelled(token) ? cancelled() : result;
      } catch (error) {
        if (error instanceof ResponseError) return error;
        if (isOutside(error)) return new ResponseError(LSPErrorCodes.RequestFailed, visible(error.message));
        onBug(method, error);
        const where = "standard error of the server says where";
        return new ResponseError(ErrorCodes.InternalError, `${method} failed inside of flowsheet: ${where}`);
      }
    });
  };
  return {
    on,
    /** A request about an open table; null for others. */
    onTable: (method: string, answer: (asked: Asked, params: unknown) => unknown): void =>
      on(method, async (params) => {
        const asked = askedOf(desk, uriIn(params));
        if (asked === null) return null;
        const { file } = asked;
        const { version } = file;
        const result = answer(asked, params);
        if (!(result instanceof Promise)) return result;
        const made: unknown = await result;
        // Changes that came in meanwhile are taken before it is decided whether the answer still counts.
        await setImmediate();
        return file.version === version && desk.find(file.uri) === file ? made : modified();
      }),
  };
}

/** Null for a file that is not open, and for one that is no sheet. */
export function askedOf(desk: Desk, uri: string): Asked | null {
  const file = desk.find(uri);
  const view = file === null || file.kind !== "table" ? null : desk.viewOf(file);
  return file === null || view === null || view.kind === "other" ? null : { file, view, desk };
}

export type Requests = ReturnType<typeof createRequests>;

/** It may change while an answer is made. */
const isCancelled = (token: CancellationToken | undefined): boolean =>
  token?.isCancellationRequested ?? false;

const cancelled = (): ResponseError<void> =>
  new ResponseError(LSPErrorCodes.RequestCancelled, "the request was cancelled");

const modified = (): ResponseError<void> =>
  new ResponseError(LSPErrorCodes.ContentModified, "the text has changed meanwhile");
