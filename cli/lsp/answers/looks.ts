import {
  type FoldingRange,
  FoldingRangeKind,
  type InlayHint,
  InlayHintKind,
  type SemanticTokens,
  SemanticTokensBuilder,
  type SemanticTokensDelta,
  type SemanticTokensLegend,
} from "vscode-languageserver/node";
import type { Range as Offsets } from "../../../compiler/ir.js";
import { folding } from "../../../compiler/service/folding.js";
import { hints } from "../../../compiler/service/hints.js";
import { TOKEN_TYPES, type TokenType } from "../../../compiler/service/tokens/token.js";
import { tokens } from "../../../compiler/service/tokens/tokens.js";
import type { OpenFile } from "../open/open-file.js";
import { createWalk, offsetsOf, positionOf } from "../open/places.js";
import type { Asked } from "../requests.js";
import { rangeIn, textIn } from "../wire/wanted.js";

/** The words of the protocol, which every colour theme knows. */
const NAMES: { readonly [type in TokenType]: string } = {
  comment: "comment",
  column: "keyword",
  graph: "namespace",
  node: "function",
  target: "method",
  agent: "class",
  field: "variable",
  type: "type",
  setting: "property",
  value: "number",
  placeholder: "parameter",
  text: "string",
};

export const LEGEND: SemanticTokensLegend = {
  tokenTypes: TOKEN_TYPES.map((type) => NAMES[type]),
  tokenModifiers: [],
};

/** What was answered last about each file: the next answer may be only what differs. */
const builders = new WeakMap<OpenFile, SemanticTokensBuilder>();

function builderOf(file: OpenFile): SemanticTokensBuilder {
  const builder = builders.get(file) ?? new SemanticTokensBuilder();
  builders.set(file, builder);
  return builder;
}

export function allTokens(asked: Asked): SemanticTokens {
  const builder = builderOf(asked.file);
  // A new answer gets a new number.
  builder.previousResult("");
  pushTokens(builder, asked, null);
  return builder.build();
}

/** All tokens, when nobody knows the answer that the client names. */
export function changedTokens(asked: Asked, params: unknown): SemanticTokens | SemanticTokensDelta {
  const builder = builderOf(asked.file);
  builder.previousResult(textIn(params, "previousResultId"));
  pushTokens(builder, asked, null);
  return builder.buildEdits();
}

export function tokensInRange(asked: Asked, params: unknown): SemanticTokens {
  const builder = new SemanticTokensBuilder();
  pushTokens(builder, asked, offsetsOf(asked.file.document, rangeIn(params)));
  return { data: builder.build().data };
}

function pushTokens(builder: SemanticTokensBuilder, { file, view }: Asked, range: Offsets | null): void {
  const { document } = file;
  const found = range === null ? tokens(view) : tokens(view, range);
  const walk = createWalk(document);
  for (let index = 0; index + 2 < found.length; index += 3) {
    const { line, character } = walk(found[index] as number);
    builder.push(line, character, found[index + 1] as number, found[index + 2] as number, 0);
  }
}

/** The types that outputs have, and `?` where an input may be unset. */
export function inlayHints({ file, view }: Asked, params: unknown): readonly InlayHint[] {
  const { document } = file;
  return hints(view, offsetsOf(document, rangeIn(params))).map(({ offset, kind, label, tooltip }) => ({
    position: positionOf(document, offset),
    label,
    tooltip,
    ...(kind === "type" ? { kind: InlayHintKind.Type } : {}),
  }));
}

/** The rows of a graph that stand together, comments, and cells of several lines. */
export function folds({ file: { document }, view }: Asked): readonly FoldingRange[] {
  return folding(view).flatMap(({ start, end, kind }) => {
    const startLine = positionOf(document, start).line;
    const endLine = positionOf(document, end).line;
    if (endLine <= startLine) return [];
    return [{ startLine, endLine, ...(kind === "comment" ? { kind: FoldingRangeKind.Comment } : {}) }];
  });
}
