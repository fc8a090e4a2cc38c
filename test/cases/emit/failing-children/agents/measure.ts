import { defineAgent } from "flowsheet/agents";

/** Takes text alone: what may be unset is refused. */
export const Measure = defineAgent(({ verdict }: { readonly verdict: string }) => verdict.length);
