/** The date at a time in a time zone: `2026-11-22`. Swedish writes dates as ISO does. */
export const dateIn = (ms: number, timeZone: string): string =>
  new Date(ms).toLocaleDateString("sv-SE", { timeZone });
