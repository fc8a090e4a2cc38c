import { existsSync, readdirSync, readFileSync } from "node:fs";
import { decode } from "../../compiler/1-parse/text/encoding.js";
import { SheetDocument, type View } from "../../compiler/service/document.js";
import { about } from "../../runtime/agents/about.js";
import { CASES, caseFolders } from "../cases/case-folder.js";
import { testWorld, understandText } from "../world.js";

/** A file as an editor opens it; of a test sheet, the sheet that it tests. */
export interface OpenSheet {
  readonly file: string;
  readonly text: string;
  readonly tested: string | null;
}

const read = (path: string): string => decode(readFileSync(path)).text;

/** The examples and the cases of this repository, clean ones and such with every problem. */
export function ownSheets(): readonly OpenSheet[] {
  const examples = readdirSync("examples").map((name) => `examples/${name}`);
  const cases = caseFolders().flatMap((folder) => [
    `${CASES}/${folder}/input.csv`,
    `${CASES}/${folder}/input.test.csv`,
  ]);
  return [...examples, ...cases].flatMap((file) => {
    if (!/\.csv$/.test(file) || !existsSync(file)) return [];
    const tested = file.replace(/\.test\.csv$/, ".csv");
    const text = read(file);
    return text.length > 20_000 ? [] : [{ file, text, tested: tested === file ? null : read(tested) }];
  });
}

const views = new WeakMap<OpenSheet, View>();

/** The view of a sheet, made once. */
export function knownView(sheet: OpenSheet): View {
  const view = views.get(sheet) ?? viewOf(sheet);
  views.set(sheet, view);
  return view;
}

export function viewOf({ file, text, tested }: OpenSheet): View {
  const graphs = tested === null ? [] : understandText(tested).graphs;
  return SheetDocument.open(file, text, { world: testWorld(), about, testedGraphs: graphs }).view();
}

const ROW = 'Order, "Ask, please",ask|tell,"{""retry"": 3}",human,,,amount:number|note?,reply,"Hi {amount}';

/** Sheets in which quotes, signs and ends of lines stand where they are easily mistaken. */
export const awkwardSheets: readonly OpenSheet[] = [
  ["semicolons", 'graph_name;node_name;next_node;prompt\nA;"B;C";"D, E|F";"Say ""{x}"""\nA;"D, E";;\n'],
  ["tabs", "graph_name\tnode_name\tnext_node\tinput_fields\nA\tB, C\tD\tx|y\nA\tD\t\t\n"],
  ["sep", "sep=;\r\ngraph_name;node_name;next_node\r\nA;B;C\r\nA;C;\r\n"],
  [
    "lines in cells",
    'graph_name,node_name,next_node,prompt,input_fields\nA,B,"C\nD","Hi {a}\n\nand {b}","a,\nb"\nA,C,,,\nA,D,,,\n',
  ],
  [
    "wide characters",
    "graph_name,node_name,next_node,input_fields,output_field\nЗаказ,出荷 🚚,確認,größe,é\nЗаказ,確認,,é,\n",
  ],
  ["CRLF", 'graph_name,node_name,next_node\r\nA,"B\r\nC",D\r\nA,D,\r\n'],
  ["CR", "graph_name,node_name,next_node\rA,B,C\rA,C,\r"],
  [
    "doubled quotes",
    'graph_name,node_name,context\nA,"B ""x""","{""retry"": {""attempts"": 3}}"\nA,C,"{""on_limit"": ""B""}"\n',
  ],
  [
    "comments",
    '# a title, "with\nsigns\ngraph_name,node_name,next_node\n// off,B,\nA,B,C\n\n,,\nA,C,\n# end',
  ],
  ["an unclosed quote", 'graph_name,node_name,next_node,context\nA,"B,C,"{""a"": 1}"\nA,C,,"{""retry'],
  [
    "an unclosed quote at the end",
    'graph_name,node_name,context,prompt\nA,B,"{""timeout_ms"": 3, ""re\nA,C,,Hi\n',
  ],
  ["stray quotes", 'graph_name,node_name,next_node\nA,B "x" y,"C" D\nA,"C",\n'],
  ["short rows", "graph_name,node_name,next_node,prompt\nA,B\nA,C,B\nA\n\n"],
  ["long rows", "graph_name,node_name,next_node\nA,B,C,,\nA,C,,x,y\n"],
  ["a header alone", "graph_name,node_name,next_node"],
  ["a header and its line end", "graph_name,node_name,next_node\n"],
  ["half a header", "graph_name,"],
  ["a header in another order", "next;name;workflow;agent\nB;A;G;echo\n;B;G;\n"],
  ["title rows", "Our workflows,,\ngraph_name,node_name,next_node\nA,B,\n"],
  ["blanks around", " graph_name , node_name , next_node \n A , B , C | D \n A , C ,\n A , D ,\n"],
  ["JSON without quotes", "graph_name,node_name,context\nA,B,{retry: 3}\nA,C,{'on_limit': 'B'}\n"],
  ["a cell that is a quote", 'graph_name,node_name,next_node\nA,B,"\nA,C,""\nA,D,"""'],
  [
    "setting columns",
    'graph_name,node_name,agent_type,context.when,context.default,context.retry\nA,B,branching,"{""x"": "">1""}",,\nA,C,switch,,B,{\n',
  ],
  [
    "one long line",
    `graph_name,node_name,next_node,context,agent_type,a,b,input_fields,output_field,prompt\n${ROW}`,
  ],
  ["nothing", ""],
].map(([name = "", text = ""]) => ({ file: `${name}.csv`, text, tested: null }));

const TESTED =
  'graph_name,node_name,agent_type,next_node,input_fields,output_field\nG,"A > B",human,"C, D",ok:boolean,x\nG,"C, D",branching,,size:\'s\'/\'m\',y\n';

export const awkwardTests: readonly OpenSheet[] = [
  [
    "plain",
    'case,given,mocks,answers,expect_status,expect_path,expect_state,expect_absent,expect_error\none,"{""ok"": true}","{""C, D"": false}","{""A > B"": ""yes""}",completed,"A > B","{""x"": {""$any"": ""string""}}",y|error,\ntwo,,,,,,,,"{""code"": ""bad"", ""node"": ',
  ],
  ["semicolons", 'graph_name;case;given;expect_path\nG;one;{"ok": };["A > B", \nG;two;{;C, D>'],
  ["a header alone", "case,given"],
  ["nothing", ""],
].map(([name = "", text = ""]) => ({ file: `${name}.test.csv`, text, tested: TESTED }));
