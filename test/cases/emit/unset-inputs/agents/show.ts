import { defineAgent } from "flowsheet/agents";

export const show = defineAgent(
  (inputs: {
    readonly tip: string;
    readonly hint?: string | undefined;
    readonly place?: unknown;
  }): readonly string[] => Object.keys(inputs),
);
