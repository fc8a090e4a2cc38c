/** What a sheet may hold at most. Sizes of text count UTF-16 units. */
export const LIMITS = {
  fileBytes: 50 * 1024 * 1024,
  columns: 200,
  rows: 100_000,
  cellLength: 1024 * 1024,
} as const;
