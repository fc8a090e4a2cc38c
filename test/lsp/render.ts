import type {
  CodeAction,
  CodeLens,
  CompletionList,
  Diagnostic,
  DocumentHighlight,
  DocumentSymbol,
  FoldingRange,
  Hover,
  InlayHint,
  Location,
  Position,
  Range,
  SemanticTokens,
  WorkspaceEdit,
} from "vscode-languageserver/node";
import type { Editor } from "./editor.js";

const at = ({ line, character }: Position): string => `${line}:${character}`;
const over = ({ start, end }: Range): string => `${at(start)}-${at(end)}`;
const shown = (value: unknown): string => JSON.stringify(value);
const fileOf = (uri: string): string => decodeURIComponent(uri.slice(uri.lastIndexOf("/") + 1));

/** How many places of a text are asked about. */
const PLACES = 9;

/** Places in words, spread over the text. */
function placesIn(text: string): readonly { readonly position: Position; readonly word: string }[] {
  const words = [...text.matchAll(/[\p{L}\p{Extended_Pictographic}_$][\p{L}\p{M}\p{N}_ ]*/gu)];
  const step = Math.max(1, words.length / PLACES);
  const chosen = Array.from(
    { length: Math.min(PLACES, words.length) },
    (_, index) => words[Math.floor(index * step)],
  );
  return chosen.flatMap((match) => {
    if (match === undefined) return [];
    const before = text.slice(0, match.index + 1);
    const lines = before.split(/\r\n|\r|\n/);
    return [
      { position: { line: lines.length - 1, character: (lines.at(-1) ?? "").length }, word: match[0].trim() },
    ];
  });
}

/** Asks everything that can be asked of an open sheet, and writes down the answers. */
export async function answersOf(editor: Editor, uri: string, text: string): Promise<string> {
  const problems = await editor.problems(uri);
  const whole = await aboutWhole(editor, uri, text, problems);
  const places: string[] = [];
  for (const { position, word } of placesIn(text))
    places.push(...(await aboutPlace(editor, uri, position, word)));
  return `${[...problems.map(problemLine), ...whole, ...places].join("\n")}\n`;
}

const problemLine = ({ range, severity, code, message }: Diagnostic): string =>
  `problem ${over(range)} ${severity === 1 ? "error" : "warning"} ${code ?? ""} ${shown(message)}`;

async function aboutWhole(
  editor: Editor,
  uri: string,
  text: string,
  diagnostics: readonly Diagnostic[],
): Promise<readonly string[]> {
  const textDocument = { uri };
  const ask = <T>(method: string, more: object = {}): Promise<T | null> =>
    editor.request<T | null>(method, { textDocument, ...more });
  const range = { start: { line: 0, character: 0 }, end: { line: 9_999, character: 0 } };
  const symbols = (await ask<DocumentSymbol[]>("textDocument/documentSymbol")) ?? [];
  const folding = (await ask<FoldingRange[]>("textDocument/foldingRange")) ?? [];
  const lenses = (await ask<CodeLens[]>("textDocument/codeLens")) ?? [];
  const hints = (await ask<InlayHint[]>("textDocument/inlayHint", { range })) ?? [];
  const tokens = await ask<SemanticTokens>("textDocument/semanticTokens/full");
  const all = { context: { diagnostics: [], only: ["source"] }, range };
  const fixAll = (await ask<CodeAction[]>("textDocument/codeAction", all)) ?? [];
  const fixes =
    (await ask<CodeAction[]>("textDocument/codeAction", { context: { diagnostics }, range })) ?? [];
  return [
    ...symbols.flatMap((one) => symbolLines(one, "")),
    ...folding.map(({ startLine, endLine }) => `fold ${startLine}-${endLine}`),
    ...lenses.map(({ range: place, command }) => `lens ${over(place)} ${command?.title} ${command?.command}`),
    ...hints.map(({ position, label }) => `hint ${at(position)} ${shown(label)}`),
    ...(tokens === null ? [] : tokenLines(tokens, text)),
    ...fixAll.map(({ title, edit }) => `all ${title}: ${editText(edit)}`),
    ...fixes.filter(({ kind }) => kind === "quickfix").map(actionLine),
  ];
}

const symbolLines = (
  { name, detail, range, children = [] }: DocumentSymbol,
  indent: string,
): readonly string[] => [
  `symbol ${indent}${shown(name)} ${detail ?? ""} ${over(range)}`,
  ...children.flatMap((child) => symbolLines(child, `${indent}  `)),
];

const actionLine = ({ title, edit, command, isPreferred }: CodeAction): string =>
  `action ${isPreferred === true ? "preferred " : ""}${title}: ${command?.command ?? editText(edit)}`;

/** One line for each line of the text: the type of each token, and its text. */
function tokenLines({ data }: SemanticTokens, text: string): readonly string[] {
  const lines = text.split(/\r\n|\r|\n/);
  const found = new Map<number, string[]>();
  let [line, character] = [0, 0];
  for (let index = 0; index < data.length; index += 5) {
    const [down = 0, right = 0, length = 0, type = 0] = data.slice(index, index + 5);
    character = down > 0 ? right : character + right;
    line += down;
    const token = (lines[line] ?? "").slice(character, character + length);
    found.set(line, [...(found.get(line) ?? []), `${type}${shown(token)}`]);
  }
  return [...found].map(([number, tokens]) => `tokens ${number} ${tokens.join(" ")}`);
}

function editText(edit: WorkspaceEdit | null | undefined): string {
  const files = Object.entries(edit?.changes ?? {});
  return files
    .map(([uri, edits]) => {
      const parts = edits.map(({ range, newText }) => `${over(range)} ${shown(newText)}`);
      return `${fileOf(uri)} ${parts.join(", ")}`;
    })
    .join(" | ");
}

async function aboutPlace(
  editor: Editor,
  uri: string,
  position: Position,
  word: string,
): Promise<readonly string[]> {
  const ask = async <T>(method: string, more: object = {}): Promise<T | null | string> => {
    try {
      return await editor.at<T | null>(method, uri, position, more);
    } catch (error) {
      return `refused: ${(error as Error).message}`;
    }
  };
  const completions = await ask<CompletionList>("textDocument/completion");
  const hover = await ask<Hover>("textDocument/hover");
  const definition = await ask<Location[]>("textDocument/definition");
  const references = await ask<Location[]>("textDocument/references", {
    context: { includeDeclaration: true },
  });
  const highlights = await ask<DocumentHighlight[]>("textDocument/documentHighlight");
  const prepared = await ask<{ range: Range; placeholder: string }>("textDocument/prepareRename");
  const renamed = await ask<WorkspaceEdit>("textDocument/rename", { newName: 'New, "name"' });
  const lines = [
    typeof completions === "object" && completions !== null && completions.items.length > 0
      ? `completion ${completions.items.length}: ${completions.items.slice(0, 4).map(itemText).join(", ")}`
      : null,
    typeof hover === "object" && hover !== null ? `hover ${hoverText(hover)}` : null,
    placesLine("definition", definition),
    placesLine("references", references),
    typeof highlights === "object" && highlights !== null && highlights.length > 0
      ? `highlights ${highlights.map(({ range, kind }) => `${kind === 3 ? "w" : "r"}${over(range)}`).join(" ")}`
      : null,
    typeof prepared === "object" && prepared !== null
      ? `rename ${over(prepared.range)} ${typeof renamed === "string" ? renamed : editText(renamed)}`
      : null,
  ];
  return [
    `at ${at(position)} ${shown(word)}`,
    ...lines.flatMap((line) => (line === null ? [] : [`  ${line}`])),
  ];
}

const itemText = ({ label, textEdit }: CompletionList["items"][number]): string =>
  textEdit !== undefined && "range" in textEdit && textEdit.newText !== label
    ? `${shown(label)}=${shown(textEdit.newText)}`
    : shown(label);

const hoverText = ({ contents, range }: Hover): string =>
  `${range === undefined ? "" : over(range)} ${shown(typeof contents === "object" && "value" in contents ? contents.value : contents)}`;

const placesLine = (name: string, found: readonly Location[] | string | null): string | null =>
  typeof found === "object" && found !== null && found.length > 0
    ? `${name} ${found.map(({ uri, range }) => `${fileOf(uri)} ${over(range)}`).join(" ")}`
    : null;
