/** A lazy value: it is made when first asked for. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The value of each key is made when first asked for. */
export function memo<K, T extends {}>(make: (key: K) => T): (key: K) => T {
  const made = new Map<K, T>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
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
