import type { Code } from "../catalogue.js";
import { sheetOf, sheets, type Written } from "./explanation.js";

const HEADER = "graph_name,node_name,prompt";
const WITH_CONTEXT = "graph_name,node_name,context,prompt";
const ASKING = "graph_name,node_name,agent_type,output_field,prompt";
const READING = "graph_name,node_name,agent_type,input_fields,prompt";

export const cellExplanations = {
  "missing-prompt": {
    summary: "A prompt refers to a file or an entry that is not there.",
    rule: "A prompt that is wholly `file:PATH` stands in that file, and `prompt:NAME` is the entry `NAME` of `prompts.yaml`; both are looked for in the prompts folder of the project. A path that leads out of the project is refused. Without the text the node would be given a prompt that nobody wrote.",
    ...sheets(HEADER, "- hello,Greet,file:greeting.md", "+ hello,Greet,Hello!"),
    cure: "Correct the reference, add the file or the entry, or write the prompt into the cell.",
  },
  "bad-field": {
    summary: "An entry of `input_fields` or `output_field` is not a field.",
    rule: "A field is named by a letter or `_`, then letters, digits, `_` and `-`, up to 128 characters. An input is written `[param=]field[.path][?][:type]`, an output `[key=]field[:type]`. The sign `|`, a comma, a semicolon or a line break separates entries; a space does not.",
    ...sheets(
      ASKING,
      "- hello,Ask,input,customer name,What is your name?",
      "+ hello,Ask,input,customer_name,What is your name?",
    ),
    cure: "Join the words with `_`, or separate two fields with `|`.",
  },
  "bad-type": {
    summary: "What follows the colon of a field is not a type.",
    rule: "The types are `string`, `number`, `boolean`, `object`, `list` and `any`; `string[]`, `number[]`, `boolean[]` and `object[]`; and choices in quotes, such as `'yes'/'no'`. A number may be whole or not: there is no other type for it.",
    ...sheets(
      ASKING,
      "- order,Ask,input,amount:integer,How many?",
      "+ order,Ask,input,amount:number,How many?",
    ),
    cure: "Write one of the types. To give a field another name inside the agent, write `name=field` instead.",
  },
  "bad-context": {
    summary: "A context that starts with `{` is not JSON.",
    rule: "The context cell is free text that describes the node. When it starts with `{` it is a JSON object of settings, and must be complete: keys and texts in double quotes, commas between entries, a brace at the end. The mark stands where the JSON cannot be read any further.",
    ...sheets(
      WITH_CONTEXT,
      '- hello,Greet,"{""timeout_ms"": 5000",Hello!',
      '+ hello,Greet,"{""timeout_ms"": 5000}",Hello!',
    ),
    cure: "Mend the JSON, or use a column for the setting, such as `context.timeout_ms`: no JSON is needed there.",
  },
  "bad-setting": {
    summary: "A setting has a value of the wrong kind.",
    rule: "Settings of every node (`retry`, `timeout_ms`, `max_visits`, `on_limit`, `merge`) and of the built-in agents have a fixed kind of value. A value of another kind would be ignored or misread while the workflow runs, so it is refused before.",
    ...sheets(
      "graph_name,node_name,context.timeout_ms,prompt",
      "- hello,Greet,soon,Hello!",
      "+ hello,Greet,5000,Hello!",
    ),
    cure: "Write a value of the kind that the message names.",
  },
  "unknown-placeholder": {
    summary: "A placeholder of a prompt names no input of its node.",
    rule: "`{name}` in a prompt stands for an input of the same node. An input that was given another name with `param=` is known by that name. `{error}` needs no input: it may stand in every node that a failure can lead to.",
    ...sheets(READING, "- hello,Greet,echo,name,Hello {username}!", "+ hello,Greet,echo,name,Hello {name}!"),
    cure: "Correct the placeholder, or add the field to `input_fields`. When the braces are meant as text, write them twice: `{{username}}`.",
  },
  "almost-placeholder": {
    summary: "A piece of the prompt looks like a misspelt placeholder and stays plain text.",
    rule: "Braces around anything that is no field are plain text, so that JSON in prompts stays JSON. But text in braces that is one letter away from an input, or an input with one brace missing, was hardly meant as text. One edit counts only when both names have at least four characters and differ in more than digits.",
    ...sheets(
      READING,
      "- hello,Greet,echo,first_name,Hello {first name}!",
      "+ hello,Greet,echo,first_name,Hello {first_name}!",
    ),
    cure: "Write the placeholder as the help says.",
  },
  "unused-input": {
    summary: "A node has inputs, and its prompt names none of them.",
    rule: [
      "`echo` with a prompt, `success`, `failure`, `human` and language models know of their inputs only what the prompt says: a value gets there where a placeholder such as `{ticket}` stands for it. Without one the model, the person or the text never sees the data.",
      "An `echo` without a prompt gives its inputs on, and a model without one is sent them. `summary`, `orchestrator`, `branching`, `switch` and your own agents take their inputs themselves.",
    ],
    ...sheets(
      READING,
      "- hello,Sort,llm,ticket,Which team should answer this ticket?",
      "+ hello,Sort,llm,ticket,Which team should answer this ticket? {ticket}",
    ),
    cure: "Write the placeholder where the value belongs, with one brace at each side. What the node does not need is better removed from `input_fields`.",
  },
  "unused-prompt": {
    summary: "The agent of this node never looks at its prompt.",
    rule: "`branching` and `switch` decide by their inputs and settings, `summary` joins its inputs, `orchestrator` compares words, `graph` hands its inputs on, and what reads or writes a file takes its name from the setting `collection` where there is one. What the prompt asks for does not happen.",
    ...sheets(
      `- ${READING}`,
      "- hello,Sum,summary,call|mail,Say in one sentence what is asked.",
      "+ graph_name,node_name,agent_type,input_fields,prompt,context.llm",
      "+ hello,Sum,summary,call|mail,Say in one sentence what is asked.,true",
    ),
    cure: "Let a model follow it, with the setting `llm` of `summary` or `strategy` of `orchestrator`, or say what is meant in the settings. Else empty the cell; a note belongs into `context` or `description`.",
  },
  "secret-in-sheet": {
    summary: "A cell holds what looks like a key, a token or a password.",
    rule: "Sheets are sent by mail, shown in pull requests, and kept in versions for ever: a secret in one is no secret any more. What is looked for are the forms that well-known services give their keys, addresses with a password, and texts under names such as `Authorization` or `token`. Prompts, settings, descriptions and the cells of test sheets are looked at. No message shows what was found.",
    ...sheets(
      `- ${READING}`,
      "- hello,Ask,llm,text,Use the key AKIAIOSFODNN7EXAMPLE to read {text}",
      "+ graph_name,node_name,agent_type,input_fields,prompt",
      "+ hello,Ask,llm,text,Read {text}",
    ),
    cure: "Take it out of the sheet and make a new one, because the old one has been seen. Keep that in the environment, and name it as `env:NAME` in `connections` of `flowsheet.yaml`; the row names the connection.",
  },
  "cannot-succeed": {
    summary: "The agent of this node lacks what it cannot work without.",
    rule: [
      "Whatever the run is given, each visit of this node would fail. An `orchestrator` and a `switch` need nodes to choose from and an input to go by, `branching` an input, a language model a prompt or an input, what reads or writes files the name of one, `http` an address, `sql` a statement, and a writer something to write unless its mode is `delete`.",
      "Where an `orchestrator` lists no node, nodes that no cell names are not called unreachable: it may be meant to choose from them.",
    ],
    ...sheets(
      "- graph_name,node_name,agent_type,input_fields,description",
      "- desk,Choose,orchestrator,message,",
      "- desk,Refunds,echo,,Pays money back",
      "- desk,Shipping,echo,,Parcels and deliveries",
      "+ graph_name,node_name,next_node,agent_type,input_fields,description",
      "+ desk,Choose,Refunds|Shipping,orchestrator,message,",
      "+ desk,Refunds,,echo,,Pays money back",
      "+ desk,Shipping,,echo,,Parcels and deliveries",
    ),
    cure: "Give the node what the help names.",
  },
  "unknown-setting": {
    summary: "A built-in agent does not know this setting.",
    rule: [
      "The setting has no effect. Every node knows `retry`, `timeout_ms`, `max_visits`, `on_limit`, `merge` and `description`; each built-in agent has some of its own. Custom agents receive all other settings as they are, so nothing is said of theirs.",
      "In a writer of files it is an error: without a misspelt `query` it would change more than was meant, so it refuses to work.",
    ],
    ...sheets(
      "graph_name,node_name,context,agent_type,prompt",
      '- hello,Greet,"{""timout_ms"": 5000}",echo,Hello!',
      '+ hello,Greet,"{""timeout_ms"": 5000}",echo,Hello!',
    ),
    cure: "Correct the name, or remove the setting.",
  },
  "foreign-name": {
    summary: "A setting or a column has the name that another tool gives it.",
    rule: "Sheets come from other tools. Where one of their words has exactly one meaning here, it is read as that: `interaction_type` is `interaction`, `timeout_seconds` is `timeout_ms` with a thousand times the number, `workflow` and `subgraph_name` of a `graph` node are `graph`, `error_node` is `next_on_failure`, and a column `when` whose cells are objects is `context.when`.",
    ...sheets(
      "graph_name,node_name,context,agent_type,output_field,prompt",
      '- hello,Ask,"{""interaction_type"": ""text_input""}",human,name,What is your name?',
      '+ hello,Ask,"{""interaction"": ""text""}",human,name,What is your name?',
    ),
    cure: "Write the name that it has here; `--fix` does it.",
  },
  "duplicate-key": {
    summary: "An object in a cell has one key twice.",
    rule: "JSON allows it, and the last entry counts. The first one is hardly there for nothing: it was forgotten, or the second should have another key.",
    ...sheets(
      WITH_CONTEXT,
      '- hello,Greet,"{""timeout_ms"": 5000, ""retry"": 2, ""timeout_ms"": 9000}",Hello!',
      '+ hello,Greet,"{""retry"": 2, ""timeout_ms"": 9000}",Hello!',
    ),
    cure: "Remove one of the two, or correct its key.",
  },
  "python-literal": {
    summary: "The context is written in the Python style, or its keys stand without quotes.",
    rule: [
      "Single quotes, `True`, `False`, `None`, a comma before the closing brace, and the curly quotes that office programs put in are not JSON. Since many sheets hold them, they are understood all the same. Other programs that read the sheet would refuse them.",
      "So are keys without quotes, as in `{retry: 3}` and `{retry=3}`. Behind such a key a word without quotes is text, up to the next comma.",
    ],
    ...sheets(WITH_CONTEXT, "- hello,Greet,{'retry': 3},Hello!", '+ hello,Greet,"{""retry"": 3}",Hello!'),
    cure: "Write it as JSON; `--fix` does it.",
  },
  "duplicate-field": {
    summary: "A field is named twice in one cell.",
    rule: "The second mention adds nothing. It is often a slip for another field: then the agent lacks an input, or the field is never written.",
    ...sheets(READING, "- hello,Greet,echo,name|name,Hello {name}!", "+ hello,Greet,echo,name,Hello {name}!"),
    cure: "Remove one of the two, or write the field that was meant.",
  },
  "missing-dependency": {
    summary: "An agent needs a package or a key that is not there.",
    rule: "Language models are reached through packages that are installed only when they are used, and with keys from the environment. The sheet itself is right; on this computer the node would fail.",
    example: sheetOf(
      "graph_name,node_name,agent_type,output_field,prompt",
      "hello,Greet,llm,greeting,Write a greeting.",
    ),
    cure: "Install the package or set the key, as the help says. `flowsheet doctor` shows what is there.",
    cured: null,
  },
} satisfies Partial<Record<Code, Written>>;
