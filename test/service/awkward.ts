import { SheetDocument, type View } from "../../compiler/service/document.js";
import { about } from "../../runtime/agents/about.js";
import { testWorld } from "../world.js";
import type { Sheets } from "./sheet-pairs.js";

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
