import { clip, visible } from "../visible.js";

export type Severity = "error" | "warning";

/** The texts of a rule. The parameters are the data that a report must give. */
export interface Rule<P> {
  readonly severity: Severity;
  readonly message: (params: P) => string;
  readonly help: (params: P) => string | null;
}

const rule =
  (severity: Severity) =>
  <P>(message: (params: P) => string, help: (params: P) => string | null = () => null): Rule<P> => ({
    severity,
    message,
    help,
  });

export const error = rule("error");

export const warning = rule("warning");

/** Text of the sheet for a message: short, without control characters and hidden ones. */
export const bare = (text: string, limit = 80): string => visible(clip(text, limit));

export const quote = (text: string): string => visible(JSON.stringify(clip(text, 80)));

export const enumerated = (names: readonly string[], show: (name: string) => string): string => {
  const shown = names.slice(0, 8).map(show);
  if (names.length > 8) return `${shown.join(", ")} and ${names.length - 8} more`;
  return shown.length < 2 ? shown.join() : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
};

export const list = (names: readonly string[]): string => enumerated(names, quote);

export interface Meant {
  readonly suggestion: string | null;
}

export const meant = ({ suggestion }: Meant): string | null =>
  suggestion === null ? null : `did you mean ${quote(suggestion)}?`;
