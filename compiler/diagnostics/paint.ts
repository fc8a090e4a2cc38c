/** The roles of text in the output, each with its colour. */
export type Style = "error" | "warning" | "strong" | "quiet" | "help";

const SGR: { readonly [S in Style]: string } = {
  error: "1;31",
  warning: "1;33",
  strong: "1",
  quiet: "34",
  help: "36",
};

/** Colours text, or returns it unchanged. */
export type Paint = (style: Style, text: string) => string;

export function createPaint(color: boolean): Paint {
  return color ? (style, text) => `\x1b[${SGR[style]}m${text}\x1b[0m` : (_style, text) => text;
}
