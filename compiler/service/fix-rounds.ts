import { once } from "../2-analyze/flow/once.js";
import type { Code } from "../diagnostics/catalogue.js";
import type { Diagnostic, Edit } from "../diagnostics/diagnostic.js";

/** The fixes that are wanted. */
export interface FixChoice {
  /** Also fixes that may change the meaning. */
  readonly unsafe: boolean;
  /** Only fixes of these codes; null for all codes. */
  readonly codes: ReadonlySet<Code> | null;
}

export const SAFE_FIXES: FixChoice = { unsafe: false, codes: null };

export const isChosen = ({ code, fix }: Diagnostic, { unsafe, codes }: FixChoice): boolean =>
  fix !== null && fix.edits.length > 0 && (unsafe || fix.safe) && (codes === null || codes.has(code));

/** A fix may make another one possible. The limit ends fixes that undo each other. */
export const MAX_ROUNDS = 20;
/** After so many fixes no further round begins: each reads the whole text again. */
const MOST_APPLIED = 20_000;

interface Rounds<U> {
  /** What is known of the first text. */
  readonly first?: U;
  /** Diagnostics of the first text that come from elsewhere, such as the type check. */
  readonly found?: readonly Diagnostic[];
  readonly most?: number;
}

/** Applies the chosen fixes until there are none left, or the rounds are over. */
export function fixInRounds<U extends { readonly diagnostics: readonly Diagnostic[] }>(
  text: string,
  understand: (text: string) => U,
  choice: FixChoice,
  { first, found = [], most = MAX_ROUNDS }: Rounds<U> = {},
): { readonly text: string; readonly understanding: () => U; readonly applied: readonly Diagnostic[] } {
  const applied: Diagnostic[] = [];
  const seen = new Set([text]);
  let understanding = first === undefined ? once(() => understand(text)) : () => first;
  for (let round = 0; round < most && applied.length < MOST_APPLIED; round++) {
    const others = round === 0 ? found : [];
    const next = applyFixes(text, [...understanding().diagnostics, ...others], choice);
    if (next.applied.length === 0 || seen.has(next.text)) break;
    for (const one of next.applied) applied.push(one);
    text = next.text;
    seen.add(text);
    understanding = once(() => understand(next.text));
  }
  return { text, understanding, applied };
}

/**
 * Applies the chosen fixes of one round, each completely or not at all.
 * A fix that overlaps with an earlier one waits for the next round. O(n log n) in edits, linear in the text.
 * Answers the text, and the diagnostics whose fixes were applied.
 */
export function applyFixes(text: string, diagnostics: readonly Diagnostic[], choice = SAFE_FIXES) {
  const applied: Diagnostic[] = [];
  const edits: Edit[] = [];
  for (const diagnostic of fixable(diagnostics, choice)) {
    if (takeAll(edits, diagnostic.fix?.edits ?? [], text.length)) applied.push(diagnostic);
  }
  return { text: edited(text, edits), applied };
}

/** Diagnostics with a chosen fix, by the place of its first edit. */
function fixable(diagnostics: readonly Diagnostic[], choice: FixChoice): readonly Diagnostic[] {
  return diagnostics
    .flatMap((diagnostic) => {
      const { fix } = diagnostic;
      if (fix === null || !isChosen(diagnostic, choice)) return [];
      return [{ diagnostic, at: fix.edits.reduce((least, { start }) => Math.min(least, start), Infinity) }];
    })
    .sort((a, b) => a.at - b.at)
    .map(({ diagnostic }) => diagnostic);
}

/** Takes all edits of a fix, or none when one of them collides. */
function takeAll(taken: Edit[], edits: readonly Edit[], length: number): boolean {
  const added: Edit[] = [];
  for (const edit of edits) {
    const index = placeOf(taken, edit);
    if (!isSound(edit, length) || collides(taken[index - 1], edit) || collides(edit, taken[index])) {
      for (const before of added) taken.splice(taken.indexOf(before), 1);
      return false;
    }
    taken.splice(index, 0, edit);
    added.push(edit);
  }
  return true;
}

const isSound = ({ start, end }: Edit, length: number): boolean =>
  start >= 0 && start <= end && end <= length;

/** The index of the first edit that begins at or after this one. */
function placeOf(taken: readonly Edit[], { start }: Edit): number {
  let low = 0;
  let high = taken.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((taken[middle]?.start ?? 0) >= start) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** True for edits that overlap or touch an insertion. The first one must begin first. */
function collides(first: Edit | undefined, second: Edit | undefined): boolean {
  if (first === undefined || second === undefined) return false;
  if (first.end > second.start || first.start === second.start) return true;
  return first.end === second.start && (first.start === first.end || second.start === second.end);
}

/** The text with edits that are in order and do not overlap. */
export function edited(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const edit of edits) {
    parts.push(text.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  return parts.join("") + text.slice(at);
}
