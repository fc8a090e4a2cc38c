import { defineAgent } from "flowsheet";

export const finish = defineAgent(({ n }: { readonly n: number }) => ({ done: { after: n } }));
