/** Milliseconds that this process has worked: unlike time on a clock, other work of the machine does not add to them. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
