import { actions, explainActions, resolveAction, resolvedUri } from "./answers/actions.js";
import { execute } from "./answers/commands.js";
import { completions } from "./answers/completion.js";
import { configurationActions } from "./answers/configuration-fixes.js";
import { hovered } from "./answers/hovering.js";
import { lenses } from "./answers/lenses.js";
import { allTokens, changedTokens, folds, inlayHints, tokensInRange } from "./answers/looks.js";
import { definitions, documentHighlights, references } from "./answers/navigation.js";
import { picture } from "./answers/picture.js";
import { preparedRename, renamed } from "./answers/renaming.js";
import { outline, symbolsNamed } from "./answers/symbols.js";
import { askedOf, type FeaturesOptions, type Requests } from "./requests.js";
import { uriIn } from "./wire/wanted.js";
import { PICTURE } from "./words.js";

/** Every request of the protocol that is answered. */
export function answerAll(requests: Requests, options: FeaturesOptions): void {
  const { client, desk, context } = options;
  const { on, onTable } = requests;
  onTable("textDocument/completion", completions);
  onTable("textDocument/hover", (asked, params) => hovered(asked, params, client));
  onTable("textDocument/definition", (asked, params) => definitions(asked, params, context));
  onTable("textDocument/references", (asked, params) => references(asked, params, context));
  onTable("textDocument/documentHighlight", documentHighlights);
  onTable("textDocument/prepareRename", preparedRename);
  onTable("textDocument/rename", (asked, params) => renamed(asked, params, options));
  onTable("textDocument/documentSymbol", outline);
  on("workspace/symbol", (params, token) => symbolsNamed(options, params, token));
  onTable("textDocument/semanticTokens/full", allTokens);
  onTable("textDocument/semanticTokens/full/delta", changedTokens);
  onTable("textDocument/semanticTokens/range", tokensInRange);
  onTable("textDocument/inlayHint", inlayHints);
  onTable("textDocument/foldingRange", folds);
  onTable("textDocument/codeLens", lenses);
  onTable(PICTURE, picture);
  on("textDocument/codeAction", (params) => {
    const asked = askedOf(desk, uriIn(params));
    if (asked !== null) return actions(asked, params, client);
    const file = desk.find(uriIn(params));
    if (file === null) return null;
    return file.kind === "configuration"
      ? configurationActions(file, params, options)
      : explainActions(params);
  });
  on("codeAction/resolve", (params) => {
    const asked = askedOf(desk, resolvedUri(params));
    return asked === null ? params : resolveAction(asked, params, client);
  });
  on("workspace/executeCommand", (params) => execute(options, params));
}
