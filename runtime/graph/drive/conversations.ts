import { AgentError } from "../contract/errors.js";
import type { Turn } from "../contract/services.js";

/** Conversations by name. A line holds what was said in it; what was said before, its parents hold. */
export type Memory = Map<string, readonly Turn[]>;

/** A line, as far as its conversations are known. */
interface Remembering {
  memory: Memory | null;
  readonly parent: Remembering | null;
}

/** Conversations as data. */
export interface MemoryData {
  readonly [conversation: string]: readonly Turn[];
}

/** The largest conversation, in characters: a loop must not make the run's state grow without end. */
const LIMIT = 2_000_000;

/** A conversation so far, as a line knows it. A branch does not hear what is said in the other ones. */
export function recall(line: Remembering, conversation: string): readonly Turn[] {
  const parts: (readonly Turn[])[] = [];
  for (let outer: Remembering | null = line; outer !== null; outer = outer.parent) {
    const said = outer.memory?.get(conversation);
    if (said !== undefined) parts.push(said);
  }
  return parts.reverse().flat();
}

/** Refuses a conversation that has grown too long. */
export function checkLength(conversation: string, turns: readonly Turn[]): void {
  const size = turns.reduce((sum, { text }) => sum + text.length, 0);
  if (size <= LIMIT) return;
  const name = JSON.stringify(conversation);
  throw new AgentError("bad_value", `the conversation ${name} grew over ${LIMIT} characters`);
}

/** Adds to a conversation of a line. */
export function remember(line: Remembering, conversation: string, turns: readonly Turn[]): void {
  line.memory ??= new Map();
  line.memory.set(conversation, [...(line.memory.get(conversation) ?? []), ...turns]);
}

/** Where branches meet, what was said in them follows in the order of the list. */
export function mergeMemories(line: Remembering, branches: readonly Remembering[]): void {
  for (const { memory } of branches) {
    if (memory !== null) for (const [conversation, turns] of memory) remember(line, conversation, turns);
  }
}

/** A line's conversations for a checkpoint; nothing without any. */
export function memoryData({ memory }: Remembering): { readonly memory?: MemoryData } {
  if (memory === null) return {};
  const data: { [conversation: string]: readonly Turn[] } = Object.create(null);
  for (const [conversation, turns] of memory) data[conversation] = turns;
  return { memory: data };
}

/** The conversations of a checkpoint. */
export function restoreMemory(data: MemoryData | undefined): Memory | null {
  return data === undefined ? null : new Map(Object.entries(data));
}
