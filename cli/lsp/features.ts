import type { ProtocolConnection } from "vscode-languageserver/node";
import type { Context } from "../process/context.js";
import { lenses } from "./answers/lenses.js";
import { picture } from "./answers/picture.js";
import type { Desk } from "./open/desk.js";
import type { Requests } from "./requests.js";
import type { Client } from "./wire/client.js";
import { PICTURE } from "./words.js";

export interface FeaturesOptions {
  readonly requests: Requests;
  readonly connection: ProtocolConnection;
  readonly context: Context;
  readonly client: Client;
  readonly desk: Desk;
}

/** Every request of the protocol that is answered. */
export function answerAll({ requests: { onTable } }: FeaturesOptions): void {
  onTable("textDocument/codeLens", lenses);
  onTable(PICTURE, picture);
}
