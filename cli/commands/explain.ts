import { formatCodes, formatExplanation } from "../../compiler/diagnostics/format-explanation.js";
import type { Context } from "../context.js";
import { EXIT } from "../failure.js";

const PROSE_WIDTH = 80;

/** Explains one diagnostic, or lists all of them. */
export async function explain(context: Context, [code]: readonly string[]): Promise<number> {
  const { stdout, color } = context;
  const look = { color: color(stdout), width: Math.min(PROSE_WIDTH, stdout.columns() ?? PROSE_WIDTH) };
  if (code === undefined) {
    stdout.write(formatCodes(look));
    return EXIT.done;
  }
  const { known, text } = formatExplanation(code, look);
  if (known) stdout.write(text);
  else context.fail(text.trim());
  return known ? EXIT.done : EXIT.usage;
}
