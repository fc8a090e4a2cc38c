/** A lazy value: it is made when first asked for. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Follows `decide` from place to place until one says true or false; all on the way share it. Each is asked once. */
export function inherited(decide: (at: number) => boolean | number): (at: number) => boolean {
  const known = new Map<number, boolean>();
  return (from) => {
    const way: number[] = [];
    let answer: boolean | number = from;
    while (typeof answer === "number") {
      way.push(answer);
      answer = known.get(answer) ?? decide(answer);
    }
    for (const at of way) known.set(at, answer);
    return answer;
  };
}
