/** How many of the numbers from 0 on pass a test that no number passes behind one that does not. Logarithmic. */
export function leading(size: number, passes: (index: number) => boolean): number {
  let low = 0;
  let high = size;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (passes(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
