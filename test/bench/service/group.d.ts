export function measureService(
  report: (what: string, measured: number, goal: number, unit: string) => void,
  folder: string,
): Promise<void>;
