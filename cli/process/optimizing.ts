/** Commands that read a larger sheet run long enough for V8 to optimize much of this program. */
const LARGE = 40_000;

/** V8 executes so many bytes of a function before it optimizes it, and inlines so many into it. */
const LATER = ["--interrupt-budget=400000", "--max-inlined-bytecode-size-cumulative=200"];

/** Other versions of V8 count otherwise, and write an error for a flag that they do not know. */
export const flagsOf = (v8: string): readonly string[] => (v8.startsWith("11.") ? LATER : []);

/**
 * V8 optimizes functions on threads of its own while they run. A command that reads a large sheet is over within
 * seconds: it would spend a third of its processor time on code that hardly runs any more.
 */
export function optimizeLater({ length }: Uint8Array): void {
  if (length < LARGE) return;
  const { setFlagsFromString } = process.getBuiltinModule("node:v8");
  for (const flag of flagsOf(process.versions.v8)) setFlagsFromString(flag);
}
