import { type DocumentHighlight, DocumentHighlightKind, type Location } from "vscode-languageserver/node";
import type { Range as Offsets } from "../../../compiler/ir.js";
import { EDITOR_LIMITS } from "../../../compiler/service/limits.js";
import { nameAt, occurrences } from "../../../compiler/service/names.js";
import { type Definition, declarations, definition, highlights } from "../../../compiler/service/navigate.js";
import type { Context } from "../../process/context.js";
import { type Seen, seenOpen } from "../around/seen.js";
import { offsetOf, rangeOf } from "../open/places.js";
import type { Asked } from "../requests.js";
import { isData, positionIn } from "../wire/wanted.js";
import { everywhere, ownerOf } from "./across.js";
import { agentPlaces, promptPlaces } from "./elsewhere.js";

const locationIn = ({ uri, document }: Seen, range: Offsets): Location => ({
  uri,
  range: rangeOf(document, range),
});

/** Where the name under the caret is defined, in this sheet or elsewhere. */
export function definitions(asked: Asked, params: unknown, { encoding }: Context): readonly Location[] {
  const { file, view } = asked;
  const offset = offsetOf(file.document, positionIn(params));
  return definition(view, offset).flatMap((one) => placesOf(asked, one, encoding));
}

function placesOf(asked: Asked, one: Definition, encoding: string | null): readonly Location[] {
  const { file, view, desk } = asked;
  const project = desk.worlds.projectOf(file);
  switch (one.kind) {
    case "place":
      return [locationIn(seenOpen(file, view), one.range)];
    case "name": {
      const owner = ownerOf(asked, one.name, encoding);
      return owner === null
        ? []
        : declarations(owner.view, one.name).map(({ range }) => locationIn(owner, range));
    }
    case "agent":
      return agentPlaces(project, one.name);
    default:
      return promptPlaces(project, one.kind, one.name);
  }
}

/** Every place where the name under the caret stands, in all sheets that may say it. */
export function references(asked: Asked, params: unknown, { encoding }: Context): readonly Location[] {
  const name = nameAt(asked.view, offsetOf(asked.file.document, positionIn(params)));
  if (name === null) return [];
  const about = isData(params) && isData(params["context"]) ? params["context"] : {};
  const isWanted = (role: string): boolean => about["includeDeclaration"] !== false || role !== "declares";
  return everywhere(asked, name, encoding).flatMap((seen) =>
    occurrences(seen.view, name, EDITOR_LIMITS.places).flatMap(({ range, role }) =>
      isWanted(role) ? [locationIn(seen, range)] : [],
    ),
  );
}

/** The places of this sheet where the name under the caret stands. */
export function documentHighlights({ file, view }: Asked, params: unknown): readonly DocumentHighlight[] {
  return highlights(view, offsetOf(file.document, positionIn(params))).map(({ range, kind }) => ({
    range: rangeOf(file.document, range),
    kind: kind === "write" ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
  }));
}
