export function nestedSplits(depth: number): string;
