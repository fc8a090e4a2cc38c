export function readLarge(
  folder: string,
  file: { readonly kind: "csv" | "jsonl"; readonly rows: number },
): { readonly rss: number; readonly ms: number; readonly found: number; readonly error: unknown };
