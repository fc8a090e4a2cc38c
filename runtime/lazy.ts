/** Loads something when it is first asked for, and again after it could not be loaded. */
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
