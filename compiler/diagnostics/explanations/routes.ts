import type { Code } from "../catalogue.js";
import { sheets, type Written } from "./explanation.js";

const LINKED = "graph_name,node_name,next_node,prompt";
const REVIEW = "graph_name,node_name,next_node,agent_type,output_field,prompt";
const MEETING = "graph_name,node_name,next_node,agent_type,next_on_success,next_on_failure,prompt";
const CHECK = "graph_name,node_name,next_node,agent_type,next_on_success,next_on_failure,input_fields,prompt";
const DESK = "graph_name,node_name,next_node,agent_type,context,input_fields,output_field,prompt";

export const routeExplanations = {
  "write-conflict": {
    summary: "Two branches that run at the same time may write the same field.",
    rule: "Where a run splits (`A|B`), each branch works on its own copy of the fields, and their writes are joined where the branches meet. When two of them write one field, one value would be lost. The field `error` is exempt.",
    ...sheets(
      REVIEW,
      "review,Start,Style|Facts,echo,,Review the draft.",
      "- review,Style,Report,echo,finding,The style is good.",
      "- review,Facts,Report,echo,finding,The facts are right.",
      "+ review,Style,Report,echo,style_finding,The style is good.",
      "+ review,Facts,Report,echo,fact_finding,The facts are right.",
      "review,Report,,echo,,Done.",
    ),
    cure: 'Write two fields. Or say on the splitting node how the values are joined: `{"merge": {"finding": "append"}}` makes a list of them, `"last"` keeps the value of the branch that stands last in the list, `"sum"` adds numbers.',
  },
  "ambiguous-meeting": {
    summary: "The branches of a split may stop at different nodes of one loop.",
    rule: "Branches run alone until they come to a node that more than one of them can come to. Here two of them can stop at two different nodes, and those nodes lead to each other: where the run should go on, and in what order, cannot be told from the sheet.",
    ...sheets(
      MEETING,
      "review,Start,Style|Facts,echo,,,Review the draft.",
      "review,Style,Editor,echo,,,The style is good.",
      "- review,Facts,Author,echo,,,The facts are right.",
      "+ review,Facts,Editor,echo,,,The facts are right.",
      "review,Editor,,human,Publish,Author,Does the editor agree?",
      "review,Author,,human,Publish,Editor,Does the author agree?",
      "review,Publish,,echo,,,It is published.",
    ),
    cure: "Let all branches lead to one node, and begin the loop there.",
  },
  "endless-cycle": {
    summary: "Nodes lead only to each other, so the run could never end.",
    rule: [
      "Cycles are allowed as long as some way leads out of them: a node that can go elsewhere, an `END`, an outcome without a target, or a node with `max_visits` and `on_limit`. A cycle without any would run until the limit of steps stops it.",
      "A split goes all its ways: where one of its branches always comes back, the `END` of another one ends nothing but that branch, and the split begins anew. `Look: Look|END` goes round for ever. A failure that leads out of a branch decides for all, so it counts as a way out.",
    ],
    ...sheets(
      `- ${REVIEW}`,
      "- survey,Ask,Thank,input,answer,How was your stay?",
      "- survey,Thank,Ask,echo,,Thank you!",
      `+ ${REVIEW},context.max_visits,context.on_limit`,
      "+ survey,Ask,Thank,input,answer,How was your stay?,3,END",
      "+ survey,Thank,Ask,echo,,Thank you!,,",
    ),
    cure: "Let one of the nodes go somewhere else in some case, or limit its visits.",
  },
  "unreachable-node": {
    summary: "No way leads to this node from the entry of its graph.",
    rule: "The first row of a graph is its entry. A node that no way from there leads to never runs. Either a target was forgotten, or the row is left over from an older version. Settings that name nodes count as ways, too.",
    ...sheets(LINKED, "- hello,Greet,,Hello!", "+ hello,Greet,Bye,Hello!", "hello,Bye,,See you!"),
    cure: "Name the node as a target of another one, remove the row, or make it a comment by starting it with `#` and a space.",
  },
  "unused-edge": {
    summary: "A target is named that the run never goes to over this column.",
    rule: '`next_on_success` and `next_on_failure` come before `next_node`: where both are filled, nothing is left for `next_node`. The `next_on_success` of a `failure` node is never used either, since that agent always fails. A `human` node with `options` and without `"interaction": "approval"` asks for a choice: each of its answers is a success, and `next_on_failure` would be taken by nobody\'s no.',
    ...sheets(
      CHECK,
      "- order,Check,Ship,branching,Ship,Refuse,paid,",
      "+ order,Check,,branching,Ship,Refuse,paid,",
      "order,Ship,,echo,,,,It is on its way.",
      "order,Refuse,,echo,,,,Please pay first.",
    ),
    cure: "Empty the cell that has no effect, or empty the one that is in its way.",
  },
  "unhandled-choice": {
    summary: "A `switch` has no case for one of the values that its field may have.",
    rule: "The type of the field lists its choices. A `switch` that is given a value without a case and has no `default` throws an error, and the run fails there unless `next_on_failure` is filled.",
    ...sheets(
      DESK,
      "desk,Ask,Route,input,,,topic:'bill'/'order'/'other',What is it about?",
      '- desk,Route,,switch,"{""cases"": {""bill"": ""Billing"", ""order"": ""Orders""}}",topic,,',
      '+ desk,Route,,switch,"{""cases"": {""bill"": ""Billing""}, ""default"": ""Orders""}",topic,,',
      "desk,Billing,,echo,,,answer,Here is your bill.",
      "desk,Orders,,echo,,,answer,Here is your order.",
    ),
    cure: 'Name a node for each value, or one for all others with `"default"`.',
  },
  "duplicate-target": {
    summary: "A node is named twice among the targets of one cell.",
    rule: "A list of targets splits the run, one branch for each. The same node twice would be two branches that do the same, so the second is dropped. It is often a slip for another node.",
    ...sheets(LINKED, "- hello,Greet,Bye|Bye,Hello!", "+ hello,Greet,Bye,Hello!", "hello,Bye,,See you!"),
    cure: "Remove one of the two, or write the node that was meant.",
  },
} satisfies Partial<Record<Code, Written>>;
