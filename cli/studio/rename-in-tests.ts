import { SheetDocument, type View } from "../../compiler/service/document.js";
import { edited } from "../../compiler/service/fix-rounds.js";
import type { NameKey } from "../../compiler/service/names/mention.js";
import { type FileEdits, renameName } from "../../compiler/service/rename.js";
import type { RenamedTests, TestRename } from "../../runtime/studio/workshop.js";

/** A test sheet in which a node has another name. Its sheet may have the new name already. */
export function renameInTests({ sheet, tests, world, graph, from, to }: TestRename): RenamedTests {
  const open = (text: string): View => SheetDocument.open(sheet.file, text, { world }).view();
  const key = (name: string): NameKey => ({ kind: "node", name, file: sheet.file, graph, node: null });
  const now = open(sheet.text);
  const owner = declares(now, graph, from) ? now : open(withName(now, key(to), from));
  const beside = SheetDocument.open(tests.file, tests.text, { world, testedGraphs: owner.graphs }).view();
  const made = renameName([owner, beside], key(from), to);
  if (made.kind === "refused") return { why: made.why };
  const edits = editsOf(made.files, tests.file);
  return { text: edited(tests.text, edits), cells: edits.length };
}

const declares = ({ graphs }: View, graph: string, node: string): boolean =>
  graphs.find(({ name }) => name === graph)?.nodes.some(({ name }) => name === node) === true;

function withName(view: View, key: NameKey, to: string): string {
  const made = renameName([view], key, to);
  return made.kind === "refused" ? view.text : edited(view.text, editsOf(made.files, view.file));
}

const editsOf = (files: readonly FileEdits[], wanted: string): FileEdits["edits"] =>
  files.find(({ file }) => file === wanted)?.edits ?? [];
