import type { StepSeen } from "../../graph/contract/contract.js";
import { isMapping } from "../../graph/values/values.js";

/** So many characters of the inputs and the prompt of one visit are kept. A loop that reads a long text would else fill the disk. */
export const SEEN_LIMIT = 65_536;

/** What is kept of what a visit has seen. */
export interface KeptSeen extends StepSeen {
  /** JSON pointers to what is cut: of it only the beginning is kept, as text. */
  readonly cut?: readonly string[];
}

/** The longest parts are cut, and all of them to the same length. What is short enough stays as it is. */
export function cutSeen(seen: StepSeen): KeptSeen {
  if (roomAfter(seen.inputs, roomAfter(seen.prompt, SEEN_LIMIT)) >= 0) return seen;
  const { inputs, prompt } = seen;
  const isNamed = isMapping(inputs);
  const named = isNamed ? Object.entries(inputs).map(([name, value]) => partOf(pointerOf(name), value)) : [];
  const whole = isNamed ? [] : [partOf("/inputs", inputs)];
  const asked = partOf("/prompt", prompt);
  const heads = headsOf([...named, ...whole, asked]);
  const kept = ({ at, value }: Part): unknown => heads.get(at) ?? value;
  return {
    inputs: isNamed
      ? Object.fromEntries(Object.keys(inputs).map((name, i) => [name, kept(named[i]!)]))
      : kept(whole[0]!),
    prompt: heads.get("/prompt") ?? prompt,
    cut: [...named, ...whole, asked].map(({ at }) => at).filter((at) => heads.has(at)),
  };
}

interface Part {
  readonly at: string;
  readonly value: unknown;
  readonly text: string;
}

const partOf = (at: string, value: unknown): Part => ({
  ...{ at, value },
  text: typeof value === "string" ? value : (JSON.stringify(value) ?? ""),
});

const pointerOf = (name: string): string => `/inputs/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;

/** The beginnings of those parts that must be cut, by their pointers. */
function headsOf(parts: readonly Part[]): ReadonlyMap<string, string> {
  const heads = new Map<string, string>();
  const shortestFirst = [...parts].sort((a, b) => a.text.length - b.text.length);
  let room = SEEN_LIMIT;
  for (const [i, { at, text }] of shortestFirst.entries()) {
    const share = Math.floor(room / (shortestFirst.length - i));
    if (text.length > share) heads.set(at, headOf(text, share));
    room -= Math.min(text.length, share);
  }
  return heads;
}

/** Half of a sign is none. */
const headOf = (text: string, length: number): string =>
  `${text.slice(0, length).replace(/[\ud800-\udbff]$/, "")}…`;

/** What nests deeper is rare, and short. */
const DEPTH = 64;

/** How many characters are left of so many; less than none as soon as they do not suffice. */
function roomAfter(value: unknown, room: number, depth = 0): number {
  if (typeof value === "string") return room - value.length;
  if (typeof value !== "object" || value === null || depth > DEPTH) return room - 1;
  let left = room - 1;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && left >= 0; i++) left = roomAfter(value[i], left - 1, depth + 1);
    return left;
  }
  for (const [key, one] of Object.entries(value)) {
    if (left < 0) break;
    left = roomAfter(one, left - key.length, depth + 1);
  }
  return left;
}
