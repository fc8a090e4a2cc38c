import { defineAgent } from "flowsheet/agents";

export const Count = defineAgent(
  (inputs: { readonly seed?: string; readonly text?: string }) => (inputs.seed ?? inputs.text ?? "").length,
);
