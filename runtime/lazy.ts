/** Loads on the first call, and tries again after a failure. */
export function lazily<T>(load: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= load().catch((thrown: unknown) => {
      made = null;
      throw thrown;
    });
    return made;
  };
}

/** Makes a value on the first call. */
export function once<T>(make: () => T): () => T {
  const made: T[] = [];
  return () => {
    if (made.length === 0) made.push(make());
    return made[0] as T;
  };
}

/** Makes the value of each key on its first call. */
export function oncePerKey<K, V>(make: (key: K) => V): (key: K) => V {
  const made = new Map<K, V>();
  return (key) => {
    if (!made.has(key)) made.set(key, make(key));
    return made.get(key) as V;
  };
}
