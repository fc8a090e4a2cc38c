// Checked by the compiler only: what the types of a module must refuse. Each line below must be an error.
import { Agent, echo, fail, input } from "flowsheet/agents";
import {
  defineGraph,
  type Graph,
  type Node,
  nodeOf,
  type Output,
  type Reads,
  type ResultOf,
  type Routes,
} from "flowsheet/graph";

class Handbook extends Agent<{ question: string }, { answer: string }> {
  override async process({ question }: { question: string }) {
    return question === "" ? fail("nothing asked") : { answer: question };
  }
}
class Score extends Agent<{ text: string }, number> {
  override process({ text }: { text: string }): number {
    return text.length;
  }
}
const shout = ({ text }: { readonly text: string }): string => text.toUpperCase();
const maybe = ({ text }: { readonly text: string }) => (text === "" ? fail("empty") : { loud: text });

interface Given {
  customer: string;
}
interface State extends Given {
  question: string;
  answer?: Output<typeof Handbook, "answer">;
  score?: number;
  loud?: string;
  error?: string;
}
interface Nodes {
  Ask: Node<typeof input<string>, "question">;
  Answer: Node<typeof Handbook, "answer">;
  Say: Node<typeof echo<string>, "loud">;
}

// What an agent produces, without its failures and its promise.
export const produced: [
  ResultOf<typeof Handbook>,
  ResultOf<typeof Score>,
  ResultOf<typeof shout>,
  ResultOf<typeof maybe>,
] = [{ answer: "a" }, 1, "A", { loud: "A" }];

const node = nodeOf<State>();
export const right: Nodes = {
  Ask: node(input<string>, { inputs: () => ({}), writes: ["question"] }),
  Answer: node(Handbook, {
    inputs: ({ question }: Reads<State, "question">) => ({ question }),
    writes: ["answer"],
  }),
  Say: node(echo<string>, {
    inputs: ({ answer }: Reads<State, "answer">) => ({ answer }),
    prompt: ({ answer }) => answer,
    writes: ["loud"],
  }),
};
export const whole = node(Handbook, {
  inputs: ({ question }: Reads<State, "question">) => ({ question }),
  writes: [{ field: "loud", key: "answer" }],
});
export const keyed = node(maybe, {
  inputs: ({ customer }: Reads<State, "customer">) => ({ text: customer }),
  writes: ["loud"],
});

const question = ({ question }: Reads<State, "question">) => ({ question });
const perhaps = ({ question }: Reads<State, never, "question">) => ({ question });
const asText = ({ question }: Reads<State, "question">) => ({ text: question });
const asScore = ({ score }: Reads<State, "score">) => ({ question: score });

export const wrong = [
  // @ts-expect-error a field that may be unset is not what the agent takes
  node(Handbook, { inputs: perhaps, writes: ["answer"] }),
  // @ts-expect-error an input is missing
  node(Handbook, { inputs: () => ({}), writes: ["answer"] }),
  // @ts-expect-error an input has the wrong type
  node(Handbook, { inputs: asScore, writes: ["answer"] }),
  // @ts-expect-error the prompt uses what is no input
  node(shout, { inputs: asText, prompt: ({ other }) => other, writes: ["loud"] }),
  // @ts-expect-error this is no agent at all
  node({ process: 1 }, { inputs: question, writes: ["answer"] }),
];
/** The nodes of these agents, whatever they write. */
type Made<A> = Node<A, keyof State>;
export const fitting: Made<typeof shout> = node(shout, { inputs: asText, writes: "loud" });
// @ts-expect-error the result has no such entry
export const noEntry: Made<typeof Handbook> = node(Handbook, { inputs: question, writes: "loud" });
// @ts-expect-error the result does not fit the field
export const noText: Made<typeof Score> = node(Score, { inputs: asText, writes: "loud" });
// @ts-expect-error nor this one
export const noNumber: Made<typeof shout> = node(shout, { inputs: asText, writes: "score" });
// @ts-expect-error nor one of several
export const notBoth: Made<typeof shout> = node(shout, { inputs: asText, writes: ["loud", "score"] });
// @ts-expect-error a field that the state does not have
export const noField: Made<typeof shout> = node(shout, { inputs: asText, writes: "laud" });

// @ts-expect-error the sheet has no such field
export type NoSuchField = Reads<State, "query">;

export const otherAgent: Nodes = {
  ...right,
  // @ts-expect-error another agent than the interface says
  Answer: node(shout, {
    inputs: ({ question }: Reads<State, "question">) => ({ text: question }),
    writes: ["loud"],
  }),
};

export const routes: Routes<keyof Nodes> = {
  Ask: { next: "Answer" },
  Answer: { failure: ["Say", "END"] },
  Say: { next: null },
};
export const badRoutes: Routes<keyof Nodes> = {
  // @ts-expect-error a mistyped target
  Ask: { next: "Anwser" },
  // @ts-expect-error in a list
  Answer: { failure: ["Say", "Sya"] },
  // @ts-expect-error among the cases
  Say: { cases: { yes: "Sya" } },
};
// @ts-expect-error a node without routes
export const fewRoutes: Routes<keyof Nodes> = { Ask: {}, Answer: {} };

export const graph: Graph<Given, State, Nodes> = defineGraph<Given, State>()({
  name: "G",
  entry: "Ask",
  nodes: right,
  routes,
  splits: { Answer: { failure: [["Say"], []] } },
  fingerprint: "",
});
defineGraph<Given, State>()({
  name: "G",
  // @ts-expect-error no such node
  entry: "Aks",
  nodes: right,
  routes,
  fingerprint: "",
});

export async function uses(): Promise<void> {
  const result = await graph.run({ customer: "Ada" });
  if (result.status === "completed") result.state.question satisfies string;
  // @ts-expect-error only a completed run has all that is set at every end
  result.state.question satisfies string;
  result.path satisfies readonly ("Ask" | "Answer" | "Say")[];
  // @ts-expect-error a required input is missing
  await graph.run({});
  await graph.run({ customer: "Ada" }, { nodes: { Answer: ({ question }) => ({ answer: question }) } });
  // @ts-expect-error there is no such node to stand in for
  await graph.run({ customer: "Ada" }, { nodes: { Anwser: () => 1 } });
}
