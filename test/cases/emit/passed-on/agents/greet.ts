import { defineAgent } from "flowsheet";

/** Needs a name in plain text, and may be told a title. */
export const greet = defineAgent(
  ({ name, title }: { readonly name: string; readonly title?: string | undefined }) => ({
    hello: title === undefined ? name : `${title} ${name}`,
  }),
);
