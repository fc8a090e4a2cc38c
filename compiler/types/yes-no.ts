const YES = new Set(
  "yes y true t on ok okay 1 approve approved accept accepted agree agreed confirm confirmed".split(" "),
);
const NO = new Set(
  "no n false f off 0 reject rejected deny denied decline declined refuse refused disagree disagreed".split(
    " ",
  ),
);

export function folded(text: string): string {
  return text.trim().toLowerCase();
}

export function yesOrNo(word: string): boolean | undefined {
  const plain = folded(word);
  if (YES.has(plain)) return true;
  return NO.has(plain) ? false : undefined;
}
