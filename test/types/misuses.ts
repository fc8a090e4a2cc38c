// Checked by the compiler only: what the types of a generated module must refuse. misuses.txt says why each is refused.
import { type AgentContext, echo, fail, input } from "flowsheet/agents";
import { at, type Graph, type Node, nodeOf, type Reads, type Routes } from "flowsheet/graph";
import {
  type SupportInput,
  type SupportNode,
  type SupportNodes,
  type SupportState,
  support,
} from "../../generated/support.gen.js";
import { RateAgent } from "../cases/emit/custom-agents/agents/rate.js";
import Reader from "../cases/emit/custom-agents/agents/reader.js";
import { TellAgent } from "../cases/emit/custom-agents/agents/tell.js";
import { type RatingNodes, type RatingState, rating } from "../cases/emit/custom-agents/rating.gen.js";
import { fan } from "../cases/emit/merges/fan.gen.js";
import { quiet } from "../cases/emit/nothing-given/quiet.gen.js";
import { delivery } from "../cases/emit/paths-and-options/delivery.gen.js";

const node = nodeOf<RatingState>();
const swapped = ({ why }: Reads<RatingState, "why">) => ({ points: why, why });
const page = ({ page }: Reads<RatingState, "page">) => ({ page });

export async function misuses(): Promise<void> {
  // @ts-expect-error a required input is missing
  await support.run({});
  // @ts-expect-error an input has the wrong type
  await support.run({ customer: 7 });
  // @ts-expect-error an input is misspelt
  await support.run({ customer: "Ada", qestion: "shoes" });
  // @ts-expect-error a required input may not be undefined
  await support.run({ customer: undefined });
  // @ts-expect-error what an agent of the user asks for is asked of the caller
  await rating.run({ url: 7 });
  // @ts-expect-error none of the allowed words
  await delivery.run({ order: {}, extra: {}, speed: "slowly" });
  // @ts-expect-error this graph is given nothing
  await quiet.run({ anything: 1 });
  // @ts-expect-error there is no such node to stand in for
  await support.run({ customer: "Ada" }, { nodes: { Anwser: () => "x" } });
  // @ts-expect-error a stand-in that gives the wrong type
  await rating.run({ url: "x" }, { nodes: { Tell: () => 7 } });
  // @ts-expect-error a stand-in that leaves an entry out
  await rating.run({ url: "x" }, { nodes: { Rate: () => ({ score: 1 }) } });
  // @ts-expect-error a stand-in that asks for what the node is not given
  await rating.run({ url: "x" }, { nodes: { Tell: ({ stars }) => `${stars}` } });
  // @ts-expect-error a stand-in is a function or a class
  await support.run({ customer: "Ada" }, { nodes: { Ask: "shoes" } });
  // @ts-expect-error an unknown option of a run
  await support.run({ customer: "Ada" }, { maxStep: 10 });

  const result = await support.run({ customer: "Ada" });
  // @ts-expect-error only a completed run has all that is set at every end
  result.state.reply satisfies string;
  if (result.status === "completed") {
    result.state.reply satisfies string;
    // @ts-expect-error not every way sets it
    result.state.draft satisfies string;
    // @ts-expect-error there is no such field
    result.state.answer;
    // @ts-expect-error a completed run has no error
    result.error.message;
    // @ts-expect-error the state of a run does not change
    result.path.push("Ask");
  }
  // @ts-expect-error there is no such status
  if (result.status === "done") return;
  // @ts-expect-error no node of this name can be on the path
  result.path.includes("Anwser");
  // @ts-expect-error only a suspended run has a checkpoint
  result.checkpoint;
  // @ts-expect-error a graph is no function
  support({ customer: "Ada" });

  const lists = await fan.run({ topic: "tea" });
  if (lists.status === "completed") {
    lists.state.parts satisfies readonly string[];
    // @ts-expect-error after the meeting it is a list
    lists.state.parts satisfies string;
    // @ts-expect-error a sum is a number
    lists.state.count satisfies string;
  }
}

export const nodes = [
  node(RateAgent, { inputs: page, writes: [{ field: "points", key: "score" }, "why"] }),
  // @ts-expect-error an input of the agent is missing
  node(RateAgent, { inputs: () => ({}), writes: "why" }),
  // @ts-expect-error an input of the agent may be unset
  node(RateAgent, { inputs: ({ page }: Reads<RatingState, never, "page">) => ({ page }), writes: "why" }),
  // @ts-expect-error an input of the agent has another type
  node(TellAgent, { inputs: swapped, writes: "told" }),
  // @ts-expect-error the prompt uses what is no input
  node(RateAgent, { inputs: page, prompt: ({ url }) => url, writes: "why" }),
  // @ts-expect-error this is no agent
  node({ rate: 1 }, { inputs: page, writes: "why" }),
  // @ts-expect-error a retry without its number of attempts
  node(echo<string>, { inputs: page, writes: "told", retry: { delayMs: 5 } }),
];
// @ts-expect-error the agent's result lacks the entry
export const noEntry: Node<typeof RateAgent, "points"> = node(RateAgent, { inputs: page, writes: "points" });
// @ts-expect-error the agent's result has another type than the field
export const wrongEntry: RatingNodes["Rate"] = node(RateAgent, {
  inputs: page,
  writes: [{ field: "points", key: "why" }, "why"],
});
// @ts-expect-error the sheet has no such field
export type NoField = Reads<RatingState, "stars">;
// @ts-expect-error another agent than the interface says
export const otherAgent: RatingNodes["Tell"] = node(Reader, {
  inputs: ({ url }: Reads<RatingState, "url">) => ({ url }),
  writes: "page",
});
export const otherOutput: Node<typeof input, "told"> = node(input, { inputs: () => ({}), writes: "told" });
// @ts-expect-error the node writes another field
export const wrongOutput: Node<typeof input, "why"> = otherOutput;
export const routes: Routes<keyof RatingNodes> = {
  // @ts-expect-error a mistyped target
  Read: { next: "Raet" },
  // @ts-expect-error a mistyped target in a list
  Rate: { next: ["Tell", "Sory"] },
  // @ts-expect-error there is no such outcome
  Tell: { sucess: "Sorry" },
  Sorry: {},
};
// @ts-expect-error a node without routes
export const fewRoutes: Routes<keyof RatingNodes> = { Read: {}, Rate: {}, Tell: {} };
// @ts-expect-error one graph is not another
export const other: Graph<SupportInput, SupportState, SupportNodes> = rating;
// @ts-expect-error no node of the graph
export const name: SupportNode = "Anwser";
// @ts-expect-error a path into a text leads nowhere
export const letter: string = at("text", "0", "length");
// @ts-expect-error a failure has a reason
export const failure = (_: object, context: AgentContext) => fail(context.visit);
