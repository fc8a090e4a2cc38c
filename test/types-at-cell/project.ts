import { sheetOf } from "../cli/sheets.js";

const HEADER =
  "graph_name,node_name,next_node,agent_type,next_on_success,next_on_failure,input_fields,output_field,prompt";

export const AGENTS = `import { Agent, defineAgent, fail, type Outcome } from "flowsheet";

/** Counts. */
export class RateAgent extends Agent<{ text: string }, { score: number }> {
  override async process({ text }: { text: string }): Promise<{ score: number }> {
    return { score: text.length };
  }
}

export class LabelAgent extends Agent<{ score: string }, { label: string }> {
  override process({ score }: { score: string }): Outcome<{ label: string }> {
    return score === "" ? fail("no score") : { label: score };
  }
}

export const speak = defineAgent(({ label, lang }: { label: string; lang: string }) => ({ said: label + lang }));

export class LateAgent extends Agent<{ late: string; times?: number }, { done: string }> {
  override process({ late }: { late: string; times?: number }): { done: string } {
    return { done: late };
  }
}

export class PlainAgent extends Agent<{ text: string }, readonly string[]> {
  override process({ text }: { text: string }): readonly string[] {
    return [text];
  }
}

export class AnythingAgent extends Agent<{ readonly [name: string]: unknown }, { readonly value: unknown }> {
  override process(inputs: { readonly [name: string]: unknown }): { readonly value: unknown } {
    return { value: inputs };
  }
}

export const loose = defineAgent((): Record<string, string> => ({}));
export const maybe = defineAgent((): { v?: string } => ({}));
export const cut = defineAgent((): { v?: never; why: string } | { v: number } => ({ v: 1 }));
export const find = defineAgent((): { res: string | null } => ({ res: null }));
export const opt = defineAgent(({ late = "" }: { late?: string }): { done: string } => ({ done: late }));
export const either = defineAgent((): { v: string } | { w: string } => ({ v: "" }));
export const whole = defineAgent((): object => ({}));
`;

/** Graphs that fit their agents. */
export const FITTING: string = sheetOf(
  HEADER,
  "Fits,Rate,Late,rate,,,text:string,score,",
  "Fits,Late,Plain,late,,,late=text,done,",
  "Fits,Plain,Any,plain,,,text,parts:string[],",
  "Fits,Any,Speak,anything,,,score|parts,value,",
  "Fits,Speak,,speak,,,label=done|lang=text,said=saying,{label}",
);

/** Graphs that do not, each in one way, in the order of the expectations below. */
export const CLASHING: string = sheetOf(
  HEADER,
  "WrongInput,Rate,Label,rate,,,text:string,score,",
  "WrongInput,Label,,label,,,score,label,",
  "MissingKey,Rate,,rate,,,text:string,score|extra,",
  "MissingInput,Speak,,speak,,,label:string,said,",
  "WrongResult,Rate,,rate,,,text:string,grade=x|score:string,",
  "WrongWhole,Plain,,plain,,,text:string,parts:number[],",
  "Unset,Ask,,branching,Write,Late,text:string,yes,",
  "Unset,Write,Late,echo,,,,late:string,Hi",
  "Unset,Late,,late,,,late?,done,",
  "Given,Late,,late,,,late=text:string|times=text,done,",
  '"a ""b""`$\u007bc}",toString,inputs,rate,,,text:string,score,',
  '"a ""b""`$\u007bc}",inputs,,label,,,text?|score,label,',
  "Loose,One,,loose,,,,v:string,",
  "Maybe,One,,maybe,,,,v,",
  "Either,One,,either,,,,k=v,",
  "Whole,One,,whole,,,,v|w,",
  "Object,One,,whole,,,,v:object,",
  "Null,One,Two,find,,,,res,",
  "Null,Two,Three,opt,,,late=res,done,",
  "Null,Three,,rate,,,text=res,score,",
  "Cut,One,Two,cut,,,,v,",
  "Cut,Two,,rate,,,text=v,score,",
);

export const EXPECTED: readonly (readonly [graph: string, cell: string, marked: string, message: string])[] =
  [
    ["WrongInput", "G3", "score", '"score" is written as number by "Rate", read as string by "Label"'],
    [
      "MissingKey",
      "H4",
      "extra",
      'agent "rate" of "Rate" gives no "extra": its result is { score: number; }',
    ],
    [
      "MissingInput",
      "G5",
      "label:string",
      'agent "speak" of "Speak" needs the input "lang" (string), which the row does not give it',
    ],
    [
      "WrongResult",
      "H6",
      "grade=x",
      'agent "rate" of "Rate" gives no "grade": its result is { score: number; }',
    ],
    [
      "WrongResult",
      "H6",
      "score:string",
      '"score" is declared as string, but agent "rate" of "Rate" writes number',
    ],
    [
      "WrongWhole",
      "H7",
      "parts:number[]",
      '"parts" is declared as number[], but agent "plain" of "Plain" writes readonly string[]',
    ],
    ["Unset", "G10", "late?", '"late" may be unset, but agent "late" of "Late" needs string'],
    ["Given", "G11", "times=text", '"text" is string, but agent "late" of "Late" takes number'],
    [
      'a "b"`$\u007bc}',
      "G13",
      "score",
      '"score" is written as number by "toString", read as string by "inputs"',
    ],
    [
      "Loose",
      "H14",
      "v:string",
      '"v" is declared as string, but agent "loose" of "One" writes Record<string, string>',
    ],
    ["Maybe", "H15", "v", 'agent "maybe" of "One" gives no "v": its result is { v?: string | undefined; }'],
    [
      "Either",
      "H16",
      "k=v",
      'agent "either" of "One" gives no "k": its result is { v: string; } | { w: string; }',
    ],
    ["Whole", "H17", "v", 'agent "whole" of "One" gives no "v": its result is object'],
    ["Whole", "H17", "w", 'agent "whole" of "One" gives no "w": its result is object'],
    ["Object", "H18", "v:object", '"v" is declared as object, but agent "whole" of "One" writes object'],
    ["Null", "G20", "late=res", '"res" is written as string | null by "One", read as string by "Two"'],
    ["Null", "G21", "text=res", '"res" is written as string | null by "One", read as string by "Three"'],
    [
      "Cut",
      "G23",
      "text=v",
      '"v" is written as number | { v?: undefined; why: string; } by "One", read as string by "Two"',
    ],
  ];
