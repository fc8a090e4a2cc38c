/** Whether a path fits a pattern in which `*` stands for any number of nodes. Cost: the product of both lengths at most. */
export function matchPath(pattern: readonly string[], path: readonly string[]): boolean {
  let at = 0;
  let item = 0;
  let star = -1;
  let resumed = 0;
  while (at < path.length) {
    if (pattern[item] === ANY) {
      star = item++;
      resumed = at;
    } else if (item < pattern.length && pattern[item] === path[at]) {
      item++;
      at++;
    } else if (star >= 0) {
      // The last star takes one node more; earlier ones never have to.
      item = star + 1;
      at = ++resumed;
    } else return false;
  }
  while (pattern[item] === ANY) item++;
  return item === pattern.length;
}

const ANY = "*";
