import { defineAgent } from "flowsheet";

export const double = defineAgent(({ n }: { readonly n?: number | undefined }) => ({ twice: 2 * (n ?? 0) }));
