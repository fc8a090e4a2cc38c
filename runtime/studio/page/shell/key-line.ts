/** Keys and what they do: a line of the table of keys. */
export interface KeyLine {
  /** Such as `Ctrl+Shift+Z`; each does it. */
  readonly keys: readonly string[];
  readonly says: string;
  /** What they do everywhere; nothing for keys that are listened to where the focus is. */
  readonly act?: (event: KeyboardEvent) => void;
  /** Other words that people look for it by. */
  readonly also?: string;
  /** A field has a meaning of its own for them. */
  readonly leavesFields?: boolean;
  /** False where they do nothing at present. */
  readonly isThere?: () => boolean;
}

/** What can be done without a key, too. */
export type Command = KeyLine & { readonly act: () => void };

export interface KeyGroup {
  readonly title: string;
  readonly lines: readonly KeyLine[];
}
