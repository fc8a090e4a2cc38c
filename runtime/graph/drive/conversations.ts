import { AgentError } from "../contract/errors.js";
import type { Turn } from "../contract/services.js";

/** Conversations by name. A line holds its own turns; earlier turns are in its parent lines. */
export type Memory = Map<string, readonly Turn[]>;

interface Remembering {
  memory: Memory | null;
  readonly parent: Remembering | null;
}

export interface MemoryData {
  readonly [conversation: string]: readonly Turn[];
}

/** The largest conversation, in characters. Without it a loop could grow the state without end. */
const LIMIT = 2_000_000;

/** A conversation as a line knows it, without the turns of other branches. */
export function recall(line: Remembering, conversation: string): readonly Turn[] {
  const parts: (readonly Turn[])[] = [];
  for (let outer: Remembering | null = line; outer !== null; outer = outer.parent) {
    const said = outer.memory?.get(conversation);
    if (said !== undefined) parts.push(said);
  }
  return parts.reverse().flat();
}

export function checkLength(conversation: string, turns: readonly Turn[]): void {
  const size = turns.reduce((sum, { text }) => sum + text.length, 0);
  if (size <= LIMIT) return;
  const name = JSON.stringify(conversation);
  throw new AgentError("bad_value", `the conversation ${name} grew over ${LIMIT} characters`);
}

export function remember(line: Remembering, conversation: string, turns: readonly Turn[]): void {
  line.memory ??= new Map();
  line.memory.set(conversation, [...(line.memory.get(conversation) ?? []), ...turns]);
}

/** At the meeting, the turns of the branches follow each other in the order of the list. */
export function mergeMemories(line: Remembering, branches: readonly Remembering[]): void {
  for (const { memory } of branches) {
    if (memory !== null) for (const [conversation, turns] of memory) remember(line, conversation, turns);
  }
}

export function memoryData({ memory }: Remembering): { readonly memory?: MemoryData } {
  if (memory === null) return {};
  const data: { [conversation: string]: readonly Turn[] } = Object.create(null);
  for (const [conversation, turns] of memory) data[conversation] = turns;
  return { memory: data };
}

export function restoreMemory(data: MemoryData | undefined): Memory | null {
  return data === undefined ? null : new Map(Object.entries(data));
}
