import {
  LSPErrorCodes,
  MessageType,
  ResponseError,
  ShowMessageNotification,
  type WorkspaceEdit,
} from "vscode-languageserver/node";
import { nameAt } from "../../../compiler/service/names.js";
import { prepareRename, type Refusal, rename } from "../../../compiler/service/rename.js";
import { editOf, offsetOf, rangeOf } from "../open/places.js";
import type { Asked, FeaturesOptions } from "../requests.js";
import { positionIn, textIn } from "../wire/wanted.js";
import { everywhere, inWorkbooks } from "./across.js";
import { workspaceEdit } from "./edits.js";

const refused = ({ why }: Refusal): ResponseError<void> =>
  new ResponseError(LSPErrorCodes.RequestFailed, why);

/** The stretch that a rename would exchange; refused where no name stands, or one that cannot be exchanged. */
export function preparedRename({ file, view }: Asked, params: unknown): object {
  const name = prepareRename(view, offsetOf(file.document, positionIn(params)));
  if (name.kind === "refused") return refused(name);
  return { range: rangeOf(file.document, name.range), placeholder: name.name };
}

const notRenamed =
  (name: string) =>
  (place: string): string =>
    `${JSON.stringify(name)} stands in a workbook, too, which an editor does not change: ${place}`;

/** Exchanges a name in its sheet, in the test sheet, and in the sheets that run its graphs, with theirs. */
export function renamed(asked: Asked, params: unknown, options: FeaturesOptions): WorkspaceEdit | object {
  const { file, view } = asked;
  const offset = offsetOf(file.document, positionIn(params));
  const to = textIn(params, "newName");
  const name = nameAt(view, offset);
  const all = name === null ? [] : everywhere(asked, name, options.context.encoding);
  const made = rename(
    view,
    offset,
    to,
    all.map((seen) => seen.view),
  );
  if (made.kind === "refused") return refused(made);
  const left = name === null ? [] : inWorkbooks(asked, name, options.context.encoding);
  for (const message of [...made.notes, ...left.map(notRenamed(name?.name ?? ""))])
    void options.connection.sendNotification(ShowMessageNotification.type, {
      type: MessageType.Info,
      message,
    });
  return workspaceEdit(
    options.client,
    made.files.flatMap(({ file: shown, edits }) => {
      const seen = all.find((one) => one.view.file === shown);
      if (seen === undefined) return [];
      const { uri, version, document } = seen;
      return [{ uri, version, edits: edits.map((edit) => editOf(document, edit)) }];
    }),
  );
}
