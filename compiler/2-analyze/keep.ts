/** Keeps a value, or makes it again when it was let go. */
export type Keep = <T extends object>(value: T, remake: () => T) => () => T;

/** For a sheet that is understood once. */
export const keepAll: Keep = (value) => () => value;

/** For a sheet that stays open: most graphs are seldom looked at, so what analysis has made of them may be let go. */
export const keepLittle: Keep = (value, remake) => {
  let lent = new WeakRef(value);
  return () => {
    const known = lent.deref();
    if (known !== undefined) return known;
    const made = remake();
    lent = new WeakRef(made);
    return made;
  };
};
