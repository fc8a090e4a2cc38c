import type { Code } from "../catalogue.js";
import { sheetOf, type Written } from "./explanation.js";

const HELLO = sheetOf(
  "graph_name,node_name,next_node,agent_type,input_fields,output_field,prompt",
  "Hello,Ask,Greet,input,,name,What is your name?",
  'Hello,Greet,,echo,name,greeting,"Hello {name}!"',
);

export const testExplanations = {
  "bad-case": {
    summary: "A cell of a test sheet does not say what it should.",
    rule: [
      'The cells `given`, `mocks`, `answers` and `expect_state` of a test sheet are JSON objects: values by field, stand-ins and answers by node. `expect_status` is `completed`, `failed` or `suspended`; the matchers in `expect_state` are `{"$any": "string"}` and `{"$match": "regex"}`, and regular expressions have no look-around and no back-references, so that they always come to an end.',
      "A case that is not in order is not run, because what it would show is not what its author meant.",
    ],
    example: HELLO,
    tests: sheetOf("case,given,expect_status", 'greets by name,"{""name"": Ada}",completed'),
    cure: "Correct the cell; in a spreadsheet, JSON is typed as it is, and only the file writes its quotes twice.",
    cured: HELLO,
    curedTests: sheetOf("case,given,expect_status", 'greets by name,"{""name"": ""Ada""}",completed'),
  },
  "duplicate-case": {
    summary: "Two cases of one graph have the same name.",
    rule: "Reports and `--filter` name a case by its graph and its name. A row that was copied and not renamed is the usual reason.",
    example: HELLO,
    tests: sheetOf(
      "case,given,expect_path",
      'greets,"{""name"": ""Ada""}",Ask>Greet',
      'greets,"{""name"": ""Bo""}",Ask>Greet',
    ),
    cure: "Give one of the two another name.",
    cured: HELLO,
    curedTests: sheetOf(
      "case,given,expect_path",
      'greets,"{""name"": ""Ada""}",Ask>Greet',
      'greets another one,"{""name"": ""Bo""}",Ask>Greet',
    ),
  },
  "unknown-field": {
    summary: "A case names a field that its graph does not have.",
    rule: "A field that no node reads or writes is never in the state. An expectation of it could only fail, and an expectation of its absence could never fail: both mostly are slips of the pen. In `given` it is a warning, because a run keeps such a field.",
    example: HELLO,
    tests: sheetOf("case,given,expect_absent", 'greets,"{""name"": ""Ada""}",greting'),
    cure: "Correct the name.",
    cured: HELLO,
    curedTests: sheetOf("case,given,expect_absent", 'greets,"{""name"": ""Ada""}",error'),
  },
} satisfies Partial<Record<Code, Written>>;
