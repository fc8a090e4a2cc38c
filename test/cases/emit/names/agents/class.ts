import { defineAgent } from "flowsheet/agents";

export const ClassAgent = defineAgent((inputs: { readonly function: string }) => inputs.function);
