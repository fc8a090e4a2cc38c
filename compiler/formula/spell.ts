/** A name as a formula writes it: what is more than letters and digits stands in single quotes. */
export const spelledName = (name: string): string =>
  /^\$?[\p{L}_][\p{L}\p{M}\p{Nd}_]*$/u.test(name) && !/^(?:true|false)$/i.test(name)
    ? name
    : `'${name.replaceAll("'", "''")}'`;
