import { server } from "../connection/present.js";
import { wordsOf } from "../connection/requests.js";
import { counted } from "../counted.js";
import { opened, session } from "../state.js";
import { tests } from "../tests/test-state.js";
import { notice } from "./sheet-editing.js";
import type { Along } from "./text/own-edits.js";

interface Renaming {
  readonly graph: string;
  readonly from: string;
  readonly to: string;
}

/** One after the other: a step is taken back only when it was made. */
let last: Promise<void> = Promise.resolve();

/** Gives a node its other name in the test sheet, too, and takes it back with the step. */
export function renamingInTests({ graph, from, to }: Renaming): Along | null {
  const sheet = opened.value?.name ?? "";
  // Only the Studio of one machine has test sheets, and the whole compiler.
  if (session.value?.features.module !== true) return null;
  const rename = (one: string, other: string): void => {
    last = last.then(() => ask({ sheet, graph, from: one, to: other }));
  };
  return { undone: () => rename(to, from), redone: () => rename(from, to) };
}

async function ask(body: Renaming & { readonly sheet: string }): Promise<void> {
  try {
    const response = await server().ask("api/tests/rename", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const { file, cells } = (await response.json()) as {
      readonly file: string | null;
      readonly cells: number;
    };
    if (cells > 0) notice.value = `${body.to} has its name in ${counted(cells, "cell")} of ${file}, too.`;
    if (cells > 0 && tests.value?.sheet === body.sheet) tests.value = null;
  } catch (error) {
    notice.value = `The tests still say ${body.from}: ${wordsOf(error).join(" ")}.`;
  }
}
