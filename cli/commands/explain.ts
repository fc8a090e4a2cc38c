import { formatCodes, formatExplanation } from "../../compiler/diagnostics/format-explanation.js";
import { EXIT, UsageError } from "../failure.js";
import type { Context } from "../process/context.js";

const PROSE_WIDTH = 80;

export async function explain(context: Context, [code]: readonly string[]): Promise<number> {
  const { stdout, color } = context;
  const look = { color: color(stdout), width: Math.min(PROSE_WIDTH, stdout.columns() ?? PROSE_WIDTH) };
  if (code === undefined) {
    stdout.write(formatCodes(look));
    return EXIT.done;
  }
  if (code.startsWith("config-")) return explainConfiguration(context, code);
  const { known, text } = formatExplanation(code, look);
  if (!known) throw new UsageError(text.trim());
  stdout.write(text);
  return EXIT.done;
}

/** No example sheet can show a configuration problem, so the documentation of the setting is named. */
async function explainConfiguration({ stdout }: Context, code: string): Promise<number> {
  const { CONFIG_CODES, meantText } = await import("../../runtime/config/findings.js");
  const meaning = Object.entries(CONFIG_CODES).find(([name]) => name === code)?.[1];
  if (meaning === undefined) {
    const codes = Object.keys(CONFIG_CODES);
    throw new UsageError(
      `there is no code ${JSON.stringify(code)}`,
      meantText(code, codes) ?? `there are ${codes.join(", ")}`,
    );
  }
  const where = "flowsheet validate --config shows where; docs/configuration.md has every setting.";
  stdout.write(`${code}\n\n${meaning.replaceAll("`", "")}\n\n${where}\n`);
  return EXIT.done;
}
