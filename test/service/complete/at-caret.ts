import { complete } from "../../../compiler/service/complete/complete.js";
import type { Completion } from "../../../compiler/service/complete/completion.js";
import { type ServiceWorld, SheetDocument, type View } from "../../../compiler/service/document.js";
import { about } from "../../../runtime/agents/about.js";
import { testWorld, understandText } from "../../world.js";

/** Stands for the caret in the texts of tests. */
export const CARET = "‸";

export function serviceWorld(tested?: string): ServiceWorld {
  const testedGraphs = tested === undefined ? undefined : understandText(tested).graphs;
  return { world: testWorld(), about, ...(testedGraphs === undefined ? {} : { testedGraphs }) };
}

export interface AtCaret {
  readonly view: View;
  readonly offset: number;
  readonly items: readonly Completion[];
  /** The text after the item of that label was chosen. */
  readonly choose: (label: string) => string;
}

/** What is offered where the caret stands in a text. */
export function atCaret(marked: string, { file = "sheet.csv", world = serviceWorld() } = {}): AtCaret {
  const offset = marked.indexOf(CARET);
  const text = marked.replace(CARET, "");
  const view = SheetDocument.open(file, text, world).view();
  const items = complete(view, offset);
  const choose = (label: string): string => {
    const item = items.find((one) => one.label === label);
    if (item === undefined)
      throw new Error(`${label} is not among ${items.map((one) => one.label).join(", ")}`);
    const { range, text: written } = item.edit;
    return text.slice(0, range.start) + written + text.slice(range.end);
  };
  return { view, offset, items, choose };
}

export const labelsAt = (marked: string, options: Parameters<typeof atCaret>[1] = {}): readonly string[] =>
  atCaret(marked, options).items.map(({ label }) => label);

/** Each as `label: detail`. */
export const detailsAt = (marked: string, options: Parameters<typeof atCaret>[1] = {}): readonly string[] =>
  atCaret(marked, options).items.map(({ label, detail }) => `${label}: ${detail}`);
