import type { Code } from "../catalogue.js";
import { sheets, type Written } from "./explanation.js";

const PLAIN = "graph_name,node_name,next_node,agent_type,input_fields,output_field,prompt";
const DISCOUNT =
  "graph_name,node_name,next_node,agent_type,next_on_success,next_on_failure,input_fields,output_field,prompt";

const CALLS = "graph_name,node_name,agent_type,context.graph,input_fields,output_field,prompt";
const PRICE = "price,Look,echo,,item:string,price,12 for {item}";

export const fieldExplanations = {
  "missing-input": {
    summary: "A `graph` node does not give its graph an input that it needs.",
    rule: "A graph that is run by a node gets the inputs of that node and nothing else. Each one goes under its name, or under the name that stands left of `=`. Here the graph reads `item`, which it must be given, and no input has that name.",
    ...sheets(CALLS, "- shop,Ask,graph,price,,price,", "+ shop,Ask,graph,price,item=product,price,", PRICE),
    cure: "Give the input, and write `theirs=mine` where your field has another name.",
  },
  "schedule-needs-input": {
    summary: "A graph begins by itself, and needs an input that nobody gives.",
    rule: "The setting `schedule` of a graph's first row lets `flowsheet work` and `flowsheet serve` begin its runs. Such a run has no caller, so a field that nodes read and none writes would never be set.",
    ...sheets(
      "graph_name,node_name,agent_type,context.schedule,input_fields,prompt",
      "- report,Write,echo,0 9 * * 1-5,day,Report of {day}",
      "+ report,Write,echo,0 9 * * 1-5,day=$today,Report of {day}",
    ),
    cure: "Read a value of the run such as `$today`, let a node write the field, read it as optional, or leave the setting out and schedule the graph in `flowsheet.yaml`, where `input` gives values.",
  },
  "duplicate-webhook": {
    summary: "Two graphs have a webhook with the same path.",
    rule: "The setting `webhook` of a graph's first row lets `flowsheet serve` begin its runs with requests to `/hooks` and the path. A request begins one run, so a path belongs to one graph. Sheets of one project share their paths: `serve` does not start when two of them have the same.",
    ...sheets(
      "graph_name,node_name,agent_type,context.webhook,input_fields,prompt",
      `buy,Take,echo,"{""path"": ""/buy"", ""secret"": ""env:SHOP""}",item,{item}`,
      `- sell,Take,echo,"{""path"": ""/buy"", ""secret"": ""env:SHOP""}",item,{item}`,
      `+ sell,Take,echo,"{""path"": ""/sell"", ""secret"": ""env:SHOP""}",item,{item}`,
    ),
    cure: "Give each graph a path of its own.",
  },
  "unknown-input": {
    summary: "A `graph` node gives its graph an input that it does not know.",
    rule: "The graph runs all the same, but no node of it reads this field. Most often the field has another name there.",
    ...sheets(
      CALLS,
      "- shop,Ask,graph,price,item|colour,price,",
      "+ shop,Ask,graph,price,item,price,",
      PRICE,
    ),
    cure: "Remove the input, or write `theirs=mine` with the name that the graph knows.",
  },
  "unknown-output": {
    summary: "A `graph` node takes a field that its graph does not have.",
    rule: [
      "The outputs of a `graph` node are taken from the final state of its graph, by their names there. No node of that graph writes or reads this field, so it could never be set.",
      "A single output of type `object` that is no field of the graph takes its whole final state.",
    ],
    ...sheets(CALLS, "- shop,Ask,graph,price,item,cost,", "+ shop,Ask,graph,price,item,price=cost,", PRICE),
    cure: "Correct the name, or write `theirs=mine`.",
  },
  "type-mismatch": {
    summary: "A field is written as one type and read as another.",
    rule: [
      "Types come from the sheet and from what agents are known to produce and to need. A node that reads a number where another writes text would fail, or count wrongly, while the workflow runs. The mark stands at the reader; the message names the writer.",
      "With `--types`, `validate` and `compile` also ask TypeScript what your own agents take and give: inputs of another type, results that lack an entry, and fields that may be unset where an agent needs them. An error in the code of your agents is told in its file, with its line: it has to be mended there. An agent in JavaScript is told of where the project does not let TypeScript read it (`allowJs`).",
    ],
    ...sheets(
      PLAIN,
      "- order,Ask,Check,input,,amount:string,How many do you want?",
      "+ order,Ask,Check,input,,amount:number,How many do you want?",
      "order,Check,,echo,amount:number,note,{amount} pieces are ordered.",
    ),
    cure: "Change the type of one of the two, or convert the value in a node between them. An `input` node converts the answer to the type of its field.",
  },
  "maybe-unset": {
    summary: "On some way to a node, a field that it reads has not been written.",
    rule: [
      "All ways through the graph are followed. Here one of them comes to the reader without passing any writer of the field, and nothing says that this is meant. The agent would be given nothing in its place.",
      "Only `compile`, `validate --types` and `scaffold` look into agents of your own: one whose return type names `Failure`, or that has none and returns what `fail` made, may leave its fields unset on the way that a failure takes.",
      "Ordinary sheets are not bothered: the first round of a loop and the handler of a failure are allowed for. So is an agent that only makes text, when another of its inputs is always set, or when on every way at least one of those is that its prompt names: `{letter}{mail}` joins whichever is there.",
    ],
    ...sheets(
      DISCOUNT,
      "order,Check,,branching,Discount,Ship,large,,",
      "order,Discount,Ship,echo,,,,discount,Ten percent off.",
      "- order,Ship,,echo,,,discount,note,Your order is on its way. {discount}",
      "+ order,Ship,,echo,,,discount?,note,Your order is on its way. {discount}",
    ),
    cure: "Write the field on the other way as well. When it may be unset, say so with a `?` behind the field: it is then neither asked for nor warned about.",
  },
  "asked-again": {
    summary: "A loop uses a given value in its first round, and `input` then takes it again.",
    rule: [
      "What the caller gives for the output of an `input` node is its first answer, so that nobody is asked twice. Here a node reads the field before: the given value serves the first round, and then, unasked, the second one as well. Only from the third round on a person is asked.",
      "A loop that begins with the `input` node is as it should be: the given value is the answer of the first round, and the second round asks.",
    ],
    ...sheets(
      `${PLAIN},context.max_visits`,
      "+ chat,Ask,Answer,input,answer?,question:string,{answer} What can I do for you?,3",
      "chat,Answer,Ask,echo,question:string,answer,You said: {question},",
      "- chat,Ask,Answer,input,answer,question,{answer} What else?,3",
    ),
    cure: "Begin the loop with the `input` node, or let it write a field of its own.",
  },
  "untyped-input": {
    notInCsv: true,
    summary: "An agent of yours takes a number, a list or the like, and the sheet does not say so.",
    rule: [
      "A value from the command line, a form or a file is text. It is read as a number, a list or a choice only where the sheet names that type: a run of a sheet does not know the types of agents in TypeScript. The agent would be given `3` as text.",
      "Only `compile` and `validate --types` look into agents, and tell of this. `compile` reads the file of the agent alone; with `--types`, TypeScript follows types of other files, too. With `--fix`, `validate --types` writes the type into the cell.",
    ],
    ...sheets(
      PLAIN,
      "- sum,Add,,adder,first|second,total,",
      "+ sum,Add,,adder,first:number|second:number,total,",
    ),
    cure: "Write the type behind the field.",
  },
  "misspelt-field": {
    summary: "A field is read that no node writes, while a very similar one is written.",
    rule: "A field that nodes only read must be given by whoever starts the run. When another field, one letter away, is written in the same graph, the two are most likely meant to be one. Only names of at least four characters that differ in more than digits are compared.",
    ...sheets(
      PLAIN,
      "hello,Ask,Greet,input,,customer,What is your name?",
      "- hello,Greet,,echo,custmer,greeting,Hello {custmer}!",
      "+ hello,Greet,,echo,customer,greeting,Hello {customer}!",
    ),
    cure: "Write the same name in both places. When two fields are really meant, give them names that differ more.",
  },
} satisfies Partial<Record<Code, Written>>;
