import { AgentError } from "../../graph/contract/errors.js";
import { at, text } from "../../graph/values/values.js";
import type { Inputs } from "../agent.js";

/** `{{text}}` is the text `{text}`; `{name}` and `{name.path}` are inputs. Linear: braces are not crossed. */
const PART = /\{\{([^{}]*)\}\}|\{\s*([^{}\s]+)\s*\}/g;

/** Fills inputs into the text of a setting, in one pass. `write` gets the value and the offset of its place. */
export function fillIn(
  template: string,
  inputs: Inputs,
  write: (value: unknown, name: string, offset: number) => string = text,
): string {
  return template.replace(
    PART,
    (whole, escaped: string | undefined, path: string | undefined, offset: number) => {
      if (escaped !== undefined) return `{${escaped}}`;
      const [name = "", ...inside] = (path ?? "").split(".");
      if (!Object.hasOwn(inputs, name)) return whole;
      return write(inside.length === 0 ? inputs[name] : at(inputs[name], ...inside), path ?? "", offset);
    },
  );
}

/** An address with its values percent-encoded. In its path no value may be empty, or climb. */
export function fillAddress(template: string, inputs: Inputs): string {
  const end = template.search(/[?#]|$/);
  const start = /^[a-z]+:\/\//i.test(template) ? template.indexOf("/", template.indexOf("://") + 3) : 0;
  return fillIn(template, inputs, (value, name, offset) => {
    const written = encoded(value, name);
    const inPath = offset < end && (start < 0 || offset >= start);
    if (inPath && written === "")
      throw new AgentError(
        "agent_failed",
        `the input "${name}" is empty, and stands in the path of the address`,
      );
    if (start >= 0 ? offset < start : offset < end)
      throw new AgentError("agent_failed", `the input "${name}" stands in the host of the address`);
    if (inPath && climbs(template, inputs, offset))
      throw new AgentError("agent_failed", `the input "${name}" would make the path of the address climb`);
    return written;
  });
}

function encoded(value: unknown, name: string): string {
  try {
    return encodeURIComponent(text(value));
  } catch {
    throw new AgentError(
      "agent_failed",
      `the input "${name}" is half of a character: it cannot be in an address`,
    );
  }
}

/** True when the part of the path around an offset becomes `.` or `..`. Percent-encoding leaves dots as they are. */
function climbs(template: string, inputs: Inputs, offset: number): boolean {
  const first = template.lastIndexOf("/", offset) + 1;
  const rest = template.slice(first);
  const end = endOfPart(rest, offset - first);
  const part = fillIn(rest.slice(0, end), inputs, (value, name) => encoded(value, name));
  return /^(?:\.|%2e){1,2}$/i.test(part);
}

/** The end of the part of a path that has a placeholder at an offset. */
function endOfPart(path: string, offset: number): number {
  const close = path.indexOf("}", offset);
  const found = path.slice(close < 0 ? offset : close).search(/[/?#]/);
  return found < 0 ? path.length : found + (close < 0 ? offset : close);
}
