import type { Code } from "../catalogue.js";
import { sheets, type Written } from "./explanation.js";

const HEADER = "graph_name,node_name,prompt";
const LINKED = "graph_name,node_name,next_node,prompt";
const ROUTED = "graph_name,node_name,next_node,next_on_failure,agent_type,input_fields,output_field,prompt";

export const nameExplanations = {
  "missing-name": {
    summary: "A row does not name its graph or its node.",
    rule: "Every row is one node of one graph and must name both. An empty `graph_name` below a filled one is the mark of merged cells: a spreadsheet shows one tall cell, but exports its text only once.",
    ...sheets(LINKED, "hello,Greet,Bye,Hello!", "- ,Bye,,See you!", "+ hello,Bye,,See you!"),
    cure: "Repeat the name in every row; `--fix` fills an empty `graph_name` from above. A row that is no node can be made a comment: start its first cell with `#` and a space.",
  },
  "stray-row": {
    summary: "A row below the others is a graph of its own that does nothing.",
    rule: "A sum, a legend or a signature below a table fills the first two cells, so it reads as a graph with one node. Such a row is told of when nothing but its two names is filled, and the sheet has other graphs.",
    ...sheets(HEADER, "hello,Greet,Hello!", "- Total,1,", "+ # Total,1,"),
    cure: "Make it a comment by starting its first cell with `#` and a space, or move it to another worksheet. If it is a graph, write what its node does.",
  },
  "bad-name": {
    summary: "A graph or node has a name that cannot be used.",
    rule: "Names may be any text of up to 128 characters, with four exceptions: the sign `|`, which separates targets; control characters; marks that turn the direction of writing; and invisible characters outside words and emoji. Names of graphs are used as names of files and in addresses, so they may not hold `/`, `\\` or `::` either.",
    ...sheets(HEADER, "- hello,Greet|Wave,Hello!", "+ hello,Greet and wave,Hello!"),
    cure: "Rename it, also wherever another row names it.",
  },
  "reserved-name": {
    summary: "A graph, node or field has a name that JavaScript keeps for itself.",
    rule: "`__proto__`, `prototype` and `constructor` mean something in every JavaScript object. A field of that name could change values it has nothing to do with, so the three are refused everywhere.",
    ...sheets(HEADER, "- hello,constructor,Hello!", "+ hello,greeting constructor,Hello!"),
    cure: "Choose another name; a word more is enough.",
  },
  "duplicate-node": {
    summary: "Two rows of one graph have the same node name.",
    rule: "Targets name nodes, so a name must belong to one row. A row that was copied and not renamed is the usual reason. Nodes of different graphs may have the same name.",
    ...sheets(
      LINKED,
      "hello,Greet,Bye,Hello!",
      "- hello,Bye,,See you!",
      "- hello,Bye,,Come again!",
      "+ hello,Bye,Invite,See you!",
      "+ hello,Invite,,Come again!",
    ),
    cure: "Rename one of the two, and name it where the run should come to it.",
  },
  "unknown-node": {
    summary: "A target names a node that its graph does not have.",
    rule: "`next_node`, `next_on_success` and `next_on_failure` name nodes of the same graph, or `END`. So do the settings that hold nodes, such as `cases`, `default` and `on_limit`. Upper and lower case count. A node that was renamed in its own row only is the usual reason.",
    ...sheets(
      ROUTED,
      "support,Ask,Answer,Apologize,input,,question,What is your question?",
      "- support,Answer,,Apologise,echo,question,answer,You asked: {question}",
      "+ support,Answer,,Apologize,echo,question,answer,You asked: {question}",
      "support,Apologize,,,echo,,answer,We will write to you.",
    ),
    cure: "Correct the name, or add a row for the node.",
  },
  "unknown-graph": {
    summary: "A `graph` node names a graph that is not there.",
    rule: 'The setting `graph` of a `graph` node names a graph of the same sheet or of another sheet in the workflows folder. When two sheets have a graph of that name, it is written with its sheet: `"sheet::Name"`. Upper and lower case count.',
    ...sheets(
      "graph_name,node_name,agent_type,context.graph,prompt",
      "- order,Pay back,graph,refnd,",
      "+ order,Pay back,graph,refund,",
      "refund,Confirm,echo,,The money is on its way.",
    ),
    cure: "Correct the name, or put the sheet that has the graph into the workflows folder.",
  },
  "unknown-agent": {
    summary: "No agent has this type.",
    rule: [
      "`agent_type` names a built-in agent or one from the agents folder; upper and lower case, spaces, `_` and `-` make no difference. The class `WeatherAgent` has the type `weather`.",
      "When a sheet is only validated this is a warning, because the agent may still be written. When it is run or compiled it is an error.",
      "The help names the `scaffold` command that starts the agent. It says what to do instead where no agent is written under the name: one that is not made of letters from a to z, digits, `_` and `-`, that does not begin with a letter, that is longer than 64 characters, that JavaScript or a system keeps for itself, or that only adds `Agent` to a built-in one.",
    ],
    ...sheets(
      "graph_name,node_name,agent_type,prompt",
      "- hello,Greet,ehco,Hello!",
      "+ hello,Greet,echo,Hello!",
    ),
    cure: "Correct the type, or write the agent.",
  },
  "case-clash": {
    summary: "Two names differ only in upper and lower case.",
    rule: "Upper and lower case count, so these are two nodes or two graphs. People overlook the difference, and some computers would write the files of two such graphs over each other.",
    ...sheets(
      LINKED,
      "- hello,Greet,greet,Hello!",
      "- hello,greet,,Hello again!",
      "+ hello,Greet,Greet again,Hello!",
      "+ hello,Greet again,,Hello again!",
    ),
    cure: "Rename one of them.",
  },
  "confusable-name": {
    summary: "Two names look alike but are written with different letters.",
    rule: "Letters of different alphabets can look the same, such as the Latin P and the Cyrillic Р. To a reader such names are one name; to the sheet they are two. It happens when text is copied from elsewhere, or on purpose to mislead whoever reviews the sheet.",
    ...sheets(
      LINKED,
      "- shop,Pay,Рay,Please pay.",
      "- shop,Рay,,Thank you!",
      "+ shop,Pay,Thank,Please pay.",
      "+ shop,Thank,,Thank you!",
    ),
    note: "The second node begins with the Cyrillic letter Р (`U+0420`).",
    cure: "Type the name again, or choose a name that differs to the eye.",
  },
} satisfies Partial<Record<Code, Written>>;
