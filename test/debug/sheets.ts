/** A split, a call with a time limit, a loop that would run its items at the same time, a failure that is handled. */
export const PARTS = `graph,node,next_node,on_failure,agent,inputs,output,prompt,context
Main,Begin,Left|Right,,echo,name,greeting,Hello {name},
Main,Left,Left2,,slow,name,l,,
Main,Left2,Join,,echo,l,l2,{l}!,
Main,Right,Join,,slow,name,r,,
Main,Join,Each,,echo,l2|r,both,{l2} {r},
Main,Each,Call,,graph,items,greeting=greetings,,"{""graph"":""Sub"",""over"":""items"",""as"":""who"",""concurrency"":3}"
Main,Call,Bad,,graph,who=name,greeting,,"{""graph"":""Sub"",""timeout_ms"":2000}"
Main,Bad,,Rescue,failure,,,no luck,
Main,Rescue,,,echo,error?,saved,Saved from {error},
Sub,Greet,,,slow,who,greeting,,
`;

/** Agents that take their time, fail, or never end. */
export const AGENTS = `import { defineAgent } from "flowsheet";
export const slow = defineAgent(async (inputs: { name?: string; who?: string }) => {
  await new Promise((resolve) => setTimeout(resolve, 5));
  return (inputs.name ?? inputs.who ?? "").toUpperCase();
});
let tries = 0;
export const flaky = defineAgent(async (_: object) => {
  if (++tries < 3) throw new Error("not yet");
  return "done";
});
export const boom = defineAgent((_: object): string => {
  throw new Error("boom " + process.env["SHOP_TOKEN"]);
});
export const never = defineAgent((_: object) => new Promise<string>(() => {}));
export const loop = defineAgent((_: object): string => {
  for (;;);
});
export const tell = defineAgent((_: object) => process.env["SHOP_TOKEN"] ?? "");
`;
