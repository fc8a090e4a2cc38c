/** Sheets in which quotes, signs, ends of lines and names stand where they are easily mistaken. */

import { SheetDocument, type View } from "../../compiler/service/document.js";
import { about } from "../../runtime/agents/about.js";
import { testWorld } from "../world.js";
import type { Sheets } from "./sheet-pairs.js";
import type { OpenSheet } from "./sheets.js";

const HEAD =
  "graph_name,node_name,next_node,context,agent_type,next_on_success,next_on_failure,input_fields,output_field,prompt";

/** Graphs that run each other: in a row, in a circle, themselves, and one that is not there. */
export const CALLS = `${HEAD}
Main,Start,Second,,echo,,,name,greeting,Hello {name}
Main,Second,Third,"{""graph"": ""Helper""}",graph,,,name=greeting,answer,
Main,Third,,"{""graph"": ""Gone""}",graph,,Oops,name=answer,rest,
Main,Oops,,,failure,,,error,,{error}
Helper,Ask,Deep,,echo,,,name,answer,Who is {name}?
Helper,Deep,,"{""graph"": ""Deepest""}",graph,,,name=answer,answer,
Deepest,Only,Fail,,echo,,,name?,answer:text,{name}
Deepest,Fail,,,failure,,,,,no
Left,One,,"{""graph"": ""Right""}",graph,,,a,b,
Right,One,Two,"{""graph"": ""Left""}",graph,,,a=b,b,
Right,Two,,"{""graph"": ""Right"", ""over"": ""items""}",graph,,,items,b,
`;

const ROWS = `Hello,Greet,Bye,"{""retry"": 2}",echo,,Oops,name|age:number,greeting,"Hello, ""you""
{name}"
,Bye,,,echo,,,greeting,last,"Bye, {greeting}
and {nme}"

# a comment, with "quotes
// another one,,,,
Hello,Oops,,,failure,,,error,,{error}
hello,Greet,Grete,words,,,,,,
`;

const TEXTS: { readonly [name: string]: string } = {
  calls: CALLS,
  rows: `${HEAD}\n${ROWS}`,
  CRLF: `${HEAD}\n${ROWS}`.replaceAll("\n", "\r\n"),
  "lone CR": `${HEAD}\n${ROWS}`.replaceAll("\n", "\r"),
  "mixed line ends": `${HEAD}\r${ROWS}`.replaceAll("\n\n", "\r\n\n\r"),
  semicolons: `${HEAD}\n${ROWS.replaceAll('""', "'")}`.replaceAll(",", ";"),
  tabs: "graph\tstep\tnext\tprompt\nA\tOne\tTwo\tx,y;z\nA\tTwo\t\t{x}\n",
  "a line that says the delimiter": `sep=;\r\n${HEAD.replaceAll(",", ";")}\r\nA;One;;;;;;;;\r\n`,
  "a byte order mark": `\ufeff"graph_name",node_name\nA,One\nA,Two\n`,
  "wide characters": `${HEAD}\n漢字,é👩‍👩‍👧,e\u0301,,echo,,,名前,挨拶,こんにちは {名前} \ud83d\n漢字,e\u0301,,,écho,,,挨拶,x,\n`,
  "broken quotes": `${HEAD}\nA,One,Two,"open,echo,,,a,b,x\nA,Two,Three,,echo,,,"b" c,d,"x ""y" z"\nA,Three,"One,,echo,,,,,\n`,
  "merged cells": `${HEAD}\nA,One,Two,,echo,,,a,b,\n,Two,Three,,echo,,,b,c,\n,Three,,,echo,,,c,d,\n#REF!,Four,,,,,,,,\n,Five,,,,,,,,\n`,
  "columns of settings":
    "graph,node,next,agent,context.retry,context.limt,context.timeout_seconds,when,,\nA,One,Two,echo,2,3,4,{},,\nA,Two,,echo,x,,,,,y\nB,One,,branching,,1,2,,,\n",
  "a column that may be settings":
    'graph,node,next,agent,when\nA,One,Two,branching,"{""a"": 1}"\nA,Two,,echo,\n',
  "columns without a header": "graph,node,next,,\nA,One,Two,,\nA,Two,,,x\n",
  "rows that are too long and too short": `${HEAD}\nA,One\nA,Two,One,,echo,,,a,b,Hello, you,\nA,Three,,,,,,,,,,x\n`,
  "comments and blank rows alone": `# title,\n\n${HEAD}\n# x\n,,,\n  \nA,One,,,,,,,,\n`,
  "nothing below the header": `${HEAD}\n`,
  "no line end": `${HEAD}\nA,One,,,,,,,,x`,
  nothing: "",
};

const ROW = 'Order, "Ask, please",ask|tell,"{""retry"": 3}",human,,,amount:number|note?,reply,"Hi {amount}';

const MORE: readonly (readonly [name: string, text: string])[] = [
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
];

const TESTED =
  'graph_name,node_name,agent_type,next_node,input_fields,output_field\nG,"A > B",human,"C, D",ok:boolean,x\nG,"C, D",branching,,size:\'s\'/\'m\',y\n';

const CASES: readonly (readonly [name: string, text: string])[] = [
  [
    "plain",
    'case,given,mocks,answers,expect_status,expect_path,expect_state,expect_absent,expect_error\none,"{""ok"": true}","{""C, D"": false}","{""A > B"": ""yes""}",completed,"A > B","{""x"": {""$any"": ""string""}}",y|error,\ntwo,,,,,,,,"{""code"": ""bad"", ""node"": ',
  ],
  ["semicolons", 'graph_name;case;given;expect_path\nG;one;{"ok": };["A > B", \nG;two;{;C, D>'],
  ["a header alone", "case,given"],
  ["nothing", ""],
  [
    "cases of a graph that is not there",
    'graph_name,case,given,expect_path,expect_state\nA,one,"{""a"": 1}",One > Two,{}\nA,one,{,"[",\n',
  ],
];

const rows = (...lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

/** Sheets whose cells are written in every way that a name can stand in. */
export const sheetPairs: readonly Sheets[] = [
  {
    name: "cells of several lines",
    text: rows(
      "graph_name,node_name,next_node,agent_type,input_fields,output_field,prompt",
      '"Say it",Ask,"Tell',
      'Wait|END",input,,"who',
      'what:string","Who?',
      'And what?"',
      '"Say it",Tell,,echo,"who,',
      'what",answer,"Dear {who},',
      "",
      'you asked for ""{what}"" and {{who}}."',
      ",Wait,,echo,who,,{who}",
    ),
    tests: null,
  },
  {
    name: "semicolons",
    text: rows(
      "sep=;",
      "graph;step;next;agent;inputs;outputs;prompt;context.when;on_success;on_failure",
      'Check;"Is; it";;branching;amount|country;large;;"{""amount"": "">100"", ""country"": ""<>DE""}";"Yes, it is";No',
      'Check;"Yes, it is";;echo;amount;text;"{amount}; that is much";;;',
      "Check;No;;echo;amount;text;{ amount } is little;;;",
    ),
    tests: rows(
      "graph_name;case;given;expect_path;expect_state;expect_absent",
      'Check;large;{"amount": 200, "country": "FR"};Is; it>Yes;;',
      'Check;large too;"{""amount"": 200, ""country"": ""FR""}";"Is; it > Yes, it is";"{""text"": ""200; that is much""}";error, large',
      'Check;little;"{""amount"": 2}";"[""Is; it"", ""No""]";;',
    ),
  },
  {
    name: "comments and private columns",
    text: rows(
      "# Our flows, as they are",
      "",
      "graph_name,node_name,# who,next_node,agent_type,output_field,prompt",
      "// G,Off,Ada,Off,,,",
      "G,On,Ada,Next|Next,echo,x,Off",
      "# G,On,Ada,Off,,,",
      ",Next,,,echo,,",
    ),
    tests: null,
  },
  {
    name: "wide characters",
    text: rows(
      "graph_name,node_name,next_node,agent_type,input_fields,output_field,prompt,context",
      'Заказ,"確認 🚚, ""bitte""","größe nehmen",echo,,größe,"🚚🚚 ""g""","{""on_limit"": ""größe nehmen"", ""max_visits"": 3}"',
      'Заказ,größe nehmen,,echo,größe,é,"漢 {größe} ""{größe}"""',
    ),
    tests: rows(
      "case,given,mocks,expect_state,expect_path",
      'eins,{},"{""確認 🚚, \\""bitte\\"""": {""return"": {""größe"": ""XL""}}}","{""gr\\u00f6\\u00dfe"": ""XL""}","確認 🚚, ""bitte"">größe nehmen"',
    ),
  },
  {
    name: "CRLF and doubled quotes",
    text: rows(
      "graph_name,node_name,next_node,context,agent_type,input_fields,output_field\r",
      'Q,"A ""x"" B",C,"{""merge"": {""notes"": ""append""}, ""description"": ""a """,echo,,notes\r',
      'Q,A,C|D,"{""merge"": {""notes"": ""append""}, \'on_limit\': \'D\', max_visits: 2}",echo,,\r',
      "Q,C,E,,echo,,notes\r",
      "Q,D,E,,echo,,notes\r",
      'Q,E,,,summary,"notes:list"\r',
    ),
    tests: null,
  },
  {
    name: "graphs that run graphs",
    text: rows(
      "graph_name,node_name,next_node,agent_type,input_fields,output_field,prompt,context",
      'Shop,Price,Each,graph,"item=product|customer",price=cost,,"{""graph"": ""Price""}"',
      'Shop,Each,,graph,products:list|customer,price,{products},"{""graph"": ""Price"", ""over"": ""products""}"',
      "Price,Look,,catalogue,item|customer?,price,For {item},",
      'Price,Twice,,graph,item=price,price,,"{""graph"": ""other::Tax"", ""over"": ""item"", ""as"": ""net""}"',
    ),
    tests: rows(
      "graph_name,case,given,mocks,answers,expect_path,expect_error",
      'Shop,one,"{""product"": ""tea"", ""$now"": ""2026-11-22T09:00:00Z""}","{""Price/Look"": {""price"": 12}, ""Each/Look"": {""visits"": [{""price"": 1}, {""fail"": ""no"", ""writes"": {""price"": 0}}]}}",,Price>*>Each,"{""node"": ""Each"", ""code"": ""agent_failed""}"',
    ),
  },
  {
    name: "settings that name",
    text: rows(
      "Workflow,Step,Agent,Inputs,Outputs,Prompt,context.cases,context.default,Context,Next,context.include keys",
      'W,Sort,switch,kind=type,team,{kind},"{""money"": ""Pay"", ""x"": ""Other""}",Other,,Pay|Other,',
      'W,Pay,human,a=manager|b,ok|comment,May {a}?,,,"{""assignee"": {""input"": ""a""}, ""escalate"": {""after_ms"": 5, ""assignee"": {""input"": ""b""}}}",Join,',
      'W,Other,json_reader,b|city,rows,people.json,,,"{""query"": {""filter"": {""town"": {""input"": ""city""}, ""age"": [{""input"": ""b"", ""is"": "">""}]}}, ""id_from"": ""b""}",Join,',
      'W,Join,summary,ok?|rows?|b,text,,,,"{""include_keys"": ""ok, b""}",Go,',
      "W,Go,orchestrator,text,next,,,,\"{'default_target': 'END'}\",Sort|END,",
      "W,Last,gpt,text,,file:prompts/last.md,,,,,",
    ),
    tests: null,
  },
];

/** All of them, each as an editor opens it. */
export const awkward: readonly OpenSheet[] = [
  ...[...Object.entries(TEXTS), ...MORE].map(([name, text]) => ({ file: `${name}.csv`, text, tested: null })),
  ...CASES.map(([name, text]) => ({ file: `${name}.test.csv`, text, tested: TESTED })),
  ...sheetPairs.flatMap(({ name, text, tests }) => [
    { file: `${name}.csv`, text, tested: null },
    ...(tests === null ? [] : [{ file: `${name}.test.csv`, text: tests, tested: text }]),
  ]),
];

/** A sheet and its tests under the names of files, with a world around them. */
export function openNamed({ text, tests }: Sheets): readonly View[] {
  const prompt = (): { text: string } => ({ text: "Say [hi](http://example.com) to {text}" });
  const customAgents = [{ name: "CatalogueAgent", file: "agents/catalogue.ts" }];
  const world = testWorld({ prompt, otherGraphs: new Set(["other::Tax", "Tax"]) });
  const sheet = SheetDocument.open("sheet.csv", text, { world, about, customAgents }).view();
  if (tests === null) return [sheet];
  const around = { world, about, customAgents, testedGraphs: sheet.graphs };
  return [sheet, SheetDocument.open("sheet.test.csv", tests, around).view()];
}
