import { pathToFileURL } from "node:url";
import type { CodeLens } from "vscode-languageserver/node";
import { moduleOf } from "../around/generated.js";
import { testsOf } from "../around/seen.js";
import { rangeOf } from "../open/places.js";
import { rangeOfRow } from "../open/rows.js";
import type { Asked } from "../requests.js";
import { LENSES } from "../words.js";

/** On the first row of each graph: run it, test it, open its module. */
export function lenses({ file, view, desk }: Asked): readonly CodeLens[] {
  const { sheet } = view;
  if (sheet === null) return [];
  const firsts = new Map<string, number>();
  for (const { graph, record } of sheet.rows)
    if (graph.name !== "" && !firsts.has(graph.name)) firsts.set(graph.name, record);
  const { generated } = desk.worlds.projectOf(file);
  const tests = file.path === null ? null : testsOf(file.path);
  return [...firsts].flatMap(([graph, record]) => {
    const { start } = rangeOf(file.document, rangeOfRow(view, { record }));
    const lens = (title: string, command: string, more: object = {}): CodeLens => ({
      range: { start, end: start },
      command: { title, command, arguments: [{ uri: file.uri, graph, ...more }] },
    });
    const module = file.path === null ? null : moduleOf(generated, file.path, graph);
    return [
      lens("Run", LENSES.run),
      ...(tests === null ? [] : [lens("Test", LENSES.test, { tests: pathToFileURL(tests).href })]),
      ...(module === null
        ? []
        : [lens("Open generated", LENSES.openGenerated, { module: pathToFileURL(module).href })]),
    ];
  });
}
