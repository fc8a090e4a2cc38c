import { clip, visible } from "../../../compiler/diagnostics/visible.js";
import type { GraphIR, NodeIR } from "../../../compiler/ir.js";
import type { TextLine } from "./geometry.js";
import { cutText, type Font, textWidth, wrapText } from "./text-width.js";

export const FONTS: { readonly [R in TextLine["role"]]: Font } = {
  name: { size: 14, bold: true },
  agent: { size: 12, bold: false },
  description: { size: 12, bold: false },
  label: { size: 11, bold: false },
  end: { size: 11, bold: true },
};

/** A shape's size and its text, by offsets from its upper left corner. */
export interface Inscription {
  readonly width: number;
  readonly height: number;
  readonly lines: readonly TextLine[];
}

const NODE = { least: 128, most: 224, left: 18, right: 14, top: 10, bottom: 10 } as const;
const LEADING = { name: 19, agent: 17, description: 16 } as const;

type Block = readonly { readonly role: keyof typeof LEADING; readonly text: string }[];

/** The text of each node's box; all boxes of a drawing are equally wide. Linear. */
export function inscribeNodes({ nodes }: GraphIR): readonly Inscription[] {
  const room = NODE.most - NODE.left - NODE.right;
  const blocks = nodes.map((node) => blockOf(node, room));
  const lines = blocks.flat();
  const widest = lines.reduce((most, { role, text }) => Math.max(most, textWidth(text, FONTS[role])), 0);
  const width = Math.max(NODE.least, Math.ceil(widest) + NODE.left + NODE.right);
  return blocks.map((block) => inscribe(block, width));
}

function blockOf(node: NodeIR, width: number): Block {
  const set = (role: keyof typeof LEADING, text: string, lines: number): Block =>
    wrapText(visible(clip(text, 1000)), FONTS[role], { width, lines }).map((line) => ({ role, text: line }));
  const agent = node.agent.written || node.agent.type;
  return [
    ...set("name", node.name, 2),
    ...set("agent", agent, 1),
    ...set("description", node.description, 2),
  ];
}

function inscribe(block: Block, width: number): Inscription {
  let y: number = NODE.top;
  const lines = block.map(({ role, text }): TextLine => {
    y += LEADING[role];
    return { role, text, centred: false, x: NODE.left, y: y - 5 };
  });
  return { width, height: y + NODE.bottom, lines };
}

export function inscribeLabel(text: string, role: "label" | "end", most: number): Inscription {
  const font = FONTS[role];
  const shown = cutText(visible(clip(text, 1000)), font, most);
  const wide = textWidth(shown, font);
  const [side, height] = role === "end" ? [12, 26] : [5, 18];
  const base = height / 2 + font.size * 0.36;
  const width = Math.ceil(wide) + 2 * side;
  return { width, height, lines: [{ role, text: shown, centred: true, x: width / 2, y: base }] };
}
