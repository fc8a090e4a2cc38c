import fc from "fast-check";
import { expect, test } from "vitest";
import { cronFault } from "../../compiler/2-analyze/settings/cron.js";
import type { DurableStore } from "../../runtime/durable/store.js";
import { fireDue, lastTime, nextTime, type Schedule } from "../../runtime/runs/schedules/due-times.js";
import { onEachStore, placeOf } from "./executors.js";
import { openAt } from "./open-at.js";

const at = (text: string): number => Date.parse(text);

/** The times after a moment. */
function timesAfter(cron: string, from: string, many: number, timezone = "Europe/Berlin"): readonly string[] {
  const times: string[] = [];
  let time = nextTime({ cron, timezone }, at(from));
  for (; time !== null && times.length < many; time = nextTime({ cron, timezone }, time))
    times.push(new Date(time).toISOString());
  return times;
}

test("the clock goes forward: what stands at a time that is left out begins once, at the change", () => {
  expect(timesAfter("30 2 * * *", "2026-03-28T00:00Z", 3)).toEqual([
    "2026-03-28T01:30:00.000Z",
    "2026-03-29T01:00:00.000Z",
    "2026-03-30T00:30:00.000Z",
  ]);
  expect(timesAfter("0,30 2 * * *", "2026-03-28T22:00Z", 1)).toEqual(["2026-03-29T01:00:00.000Z"]);
});

test("the clock goes back: what stands at a time that comes twice begins once", () => {
  expect(timesAfter("30 2 * * *", "2026-10-24T00:00Z", 3)).toEqual([
    "2026-10-24T00:30:00.000Z",
    "2026-10-25T00:30:00.000Z",
    "2026-10-26T01:30:00.000Z",
  ]);
});

test("what comes every hour comes in every hour of both days", () => {
  const spring = timesAfter("0 * * * *", "2026-03-28T22:30Z", 24).map((time) => time.slice(11, 13));
  const autumn = timesAfter("0 * * * *", "2026-10-24T21:30Z", 26).map((time) => time.slice(11, 13));
  const hours = (first: number, many: number): readonly string[] =>
    Array.from({ length: many }, (_, n) => String((first + n) % 24).padStart(2, "0"));
  expect(spring).toEqual(hours(23, 24));
  expect(autumn).toEqual(hours(22, 26));
});

test("a working day keeps its hour in summer and winter", () => {
  expect(timesAfter("0 9 * * MON-FRI", "2026-10-23T00:00Z", 2)).toEqual([
    "2026-10-23T07:00:00.000Z",
    "2026-10-26T08:00:00.000Z",
  ]);
});

test("six fields have seconds", () => {
  expect(timesAfter("*/20 0 9 * * *", "2026-01-01T00:00Z", 3, "UTC")).toEqual([
    "2026-01-01T09:00:00.000Z",
    "2026-01-01T09:00:20.000Z",
    "2026-01-01T09:00:40.000Z",
  ]);
});

test.each([
  ["0 2 * *", "five fields"],
  ["0 2 * * * * *", "five fields"],
  ["@daily", "five fields"],
  ["61 2 * * *", "a time whose minute is *, a number 0 to 59"],
  ["0 24 * * *", "a time whose hour is"],
  ["0 5-2 * * *", "a time whose hour is"],
  ["0 2 0 * *", "a time whose day is"],
  ["0 2 * FOO *", "a time whose month is"],
  ["0 2 * * 8", "a time whose weekday is"],
  ["*/0 2 * * *", "a time whose minute is"],
  ["0 2 30 2 *", "a date that comes"],
  ["0 2 31 4,6,9 *", "a date that comes"],
])("the expression %s is refused", (cron, fault) => {
  expect(cronFault(cron)).toContain(fault);
});

test.each(["0 2 29 2 *", "0 2 30 2 MON", "*/5 8-18/2 1,15 JAN-MAR 1-5", "0 0 0 1 1 7", "0 2 31 2,3 *"])(
  "the expression %s is taken, and comes",
  (cron) => {
    expect(cronFault(cron)).toBeNull();
    expect(nextTime({ cron, timezone: "UTC" }, at("2026-01-01T00:00Z"))).not.toBeNull();
  },
);

const part = (least: number, most: number): fc.Arbitrary<string> => {
  const number = fc.integer({ min: least, max: most });
  const step = fc.integer({ min: 1, max: Math.min(9, most) });
  const range = fc.tuple(number, number).map((ends) => ends.sort((a, b) => a - b).join("-"));
  const one = fc.oneof(
    number.map(String),
    range,
    fc.tuple(range, step).map((both) => both.join("/")),
  );
  return fc.oneof(
    fc.constant("*"),
    step.map((by) => `*/${by}`),
    fc.array(one, { minLength: 1, maxLength: 3 }).map(String),
  );
};
const crons = fc
  .tuple(part(0, 59), part(0, 59), part(0, 23), part(1, 31), part(1, 12), part(0, 7))
  .map((parts) => parts.join(" "));

test("what is taken has times, and the last time is the one before the next", () => {
  fc.assert(
    fc.property(
      crons,
      fc.integer({ min: at("2026-01-01T00:00Z"), max: at("2027-01-01T00:00Z") }),
      (cron, now) => {
        fc.pre(cronFault(cron) === null);
        const timetable = { cron, timezone: "Europe/Berlin" };
        const next = nextTime(timetable, now);
        expect(next).not.toBeNull();
        const since = now - 7 * 86_400_000;
        const last = lastTime(timetable, since, now);
        if (last === null) expect(nextTime(timetable, since)).toBe(next);
        else {
          expect(last > since && last <= now).toBe(true);
          expect(nextTime(timetable, last)).toBe(next);
        }
      },
    ),
    { numRuns: 100 },
  );
});

const NIGHTLY: Schedule = {
  name: "nightly",
  cron: "0 2 * * *",
  timezone: "UTC",
  catchUp: "last",
  overlap: "allow",
};

/** Workers of one store that look at the schedule at a given time. */
async function workers(many: number): Promise<{
  readonly look: (now: string, schedule?: Schedule, since?: string) => Promise<void>;
  readonly begun: readonly string[];
  /** Runs of a schedule that have not ended. */
  readonly open: Set<string>;
  readonly store: DurableStore;
}> {
  const place = placeOf();
  const stores = await Promise.all(Array.from({ length: many }, async () => openAt(await place)));
  const begun: string[] = [];
  const known = new Set<string>();
  const open = new Set<string>();
  const look = async (now: string, schedule: Schedule = NIGHTLY, since = "2026-05-01"): Promise<void> => {
    const world = {
      now: at(now),
      since: at(since),
      // As the unique key of a run.
      start: async (_: Schedule, key: string) => {
        if (!known.has(key)) begun.push(key);
        known.add(key);
      },
      isOpen: async ({ name }: Schedule) => open.has(name),
      failed: (_: Schedule, error: unknown) => {
        throw error;
      },
    };
    await Promise.all(stores.map((store) => fireDue([schedule], { ...world, store })));
  };
  return { look, begun, open, store: stores[0] as DurableStore };
}

const days = (begun: readonly string[]): readonly string[] => begun.map((key) => key.slice(-12, -10));

onEachStore("a time at which a run is open is left out, or waits for its end", async () => {
  const skip = { ...NIGHTLY, overlap: "skip" } as const;
  const queue = { ...NIGHTLY, name: "one", overlap: "queue" } as const;
  for (const [schedule, expected] of [
    [skip, ["02", "05"]],
    [queue, ["02", "04", "05"]],
    [{ ...queue, name: "all", catchUp: "all" } as const, ["02", "03", "04", "05"]],
    [{ ...queue, name: "none", catchUp: "none" } as const, ["02", "05"]],
  ] as const) {
    const { look, begun, open } = await workers(2);
    await look("2026-05-01T12:00Z", schedule);
    await look("2026-05-02T02:00:00Z", schedule);
    open.add(schedule.name);
    await look("2026-05-03T02:00:00Z", schedule);
    await look("2026-05-04T02:00:00Z", schedule);
    open.clear();
    for (const minute of ["01", "02", "03"]) await look(`2026-05-04T02:${minute}:00Z`, schedule);
    await look("2026-05-05T02:00:00Z", schedule);
    expect(days(begun)).toEqual(expected);
  }
});

onEachStore(
  "several workers begin each time once, and nothing of the time before the first look",
  async () => {
    const { look, begun } = await workers(3);
    await look("2026-05-01T12:00Z");
    await look("2026-05-02T01:59:59Z");
    expect(begun).toEqual([]);
    await look("2026-05-02T02:00:00Z");
    await look("2026-05-02T02:00:01Z");
    await look("2026-05-03T02:00:05Z");
    expect(begun).toEqual(["schedule:nightly:2026-05-02T02:00:00Z", "schedule:nightly:2026-05-03T02:00:00Z"]);
  },
);

test.each([
  ["last", ["04"]],
  ["none", []],
  ["all", ["02", "03", "04"]],
] as const)("missed times: %s", async (catchUp, days) => {
  const { look, begun } = await workers(2);
  const schedule = { ...NIGHTLY, catchUp };
  await look("2026-05-01T12:00Z", schedule);
  await look("2026-05-04T12:00Z", schedule);
  expect(begun.map((key) => key.slice(25, 27))).toEqual(days);
  await look("2026-05-05T02:00:00Z", schedule);
  expect(begun.map((key) => key.slice(25, 27))).toEqual([...days, "05"]);
});

onEachStore("a thousand missed times are all made up for, some at a time", async () => {
  const { look, begun } = await workers(1);
  const schedule: Schedule = { ...NIGHTLY, cron: "* * * * *", catchUp: "all" };
  await look("2026-05-01T00:00:30Z", schedule);
  for (let n = 0; n < 11; n++) await look("2026-05-01T16:40:30Z", schedule);
  expect(begun).toHaveLength(1_000);
  expect(new Set(begun).size).toBe(1_000);
});

onEachStore("a schedule with another time begins anew", async () => {
  const { look, begun } = await workers(2);
  await look("2026-05-01T12:00Z");
  await look("2026-05-09T12:00Z", { ...NIGHTLY, cron: "0 3 * * *" });
  expect(begun).toEqual([]);
  await look("2026-05-10T03:00Z", { ...NIGHTLY, cron: "0 3 * * *" });
  expect(begun).toEqual(["schedule:nightly:2026-05-10T03:00:00Z"]);
});

onEachStore("workers with different definitions of one schedule begin the times of both", async () => {
  const { look, begun } = await workers(2);
  const other = { ...NIGHTLY, cron: "0 3 * * *" };
  for (const time of [
    "2026-05-01T12:00Z",
    "2026-05-02T02:00:01Z",
    "2026-05-02T03:00:01Z",
    "2026-05-03T04:00Z",
  ]) {
    await look(time, other, time);
    await look(time, NIGHTLY, time);
    await look(time, other, time);
  }
  expect(begun.map((key) => key.slice(17))).toEqual([
    "2026-05-02T02:00:00Z",
    "2026-05-02T03:00:00Z",
    "2026-05-03T03:00:00Z",
    "2026-05-03T02:00:00Z",
  ]);
});

onEachStore("times that two definitions share begin once", async () => {
  const { look, begun } = await workers(2);
  const other = { ...NIGHTLY, timezone: "Africa/Abidjan" };
  for (const time of ["2026-05-01T12:00Z", "2026-05-02T02:00:01Z"]) {
    await look(time, other);
    await look(time);
  }
  expect(begun).toEqual(["schedule:nightly:2026-05-02T02:00:00Z"]);
});

onEachStore("a definition that was replaced and comes back has missed nothing", async () => {
  const { look, begun, store } = await workers(1);
  const other = { ...NIGHTLY, cron: "0 3 * * *" };
  await look("2026-05-01T12:00Z");
  await look("2026-05-01T12:00Z", other);
  await look("2026-05-02T03:00:01Z", other);
  await look("2026-05-02T03:00:02Z", other);
  expect(await store.schedules()).toHaveLength(1);
  await look("2026-05-02T12:00Z");
  await look("2026-05-03T02:00Z");
  expect(begun.map((key) => key.slice(17))).toEqual(["2026-05-02T03:00:00Z", "2026-05-03T02:00:00Z"]);
});

onEachStore("a clock that jumped ahead and back neither begins a time twice nor loses one", async () => {
  const { look, begun } = await workers(2);
  await look("2026-05-01T12:00Z");
  await look("2026-05-02T02:00:00Z");
  await look("2026-05-01T12:00Z");
  await look("2026-05-02T02:00:00Z");
  await look("2031-01-01T12:00Z");
  await look("2026-05-02T12:00Z");
  await look("2026-05-03T02:00:00Z");
  expect(begun.map((key) => key.slice(17))).toEqual([
    "2026-05-02T02:00:00Z",
    "2031-01-01T02:00:00Z",
    "2026-05-03T02:00:00Z",
  ]);
});

onEachStore("a run that cannot be begun is tried again", async () => {
  const { look, begun, store } = await workers(1);
  await look("2026-05-01T12:00Z");
  const failures: string[] = [];
  const broken = {
    store,
    now: at("2026-05-02T02:00Z"),
    since: at("2026-05-01"),
    start: async () => Promise.reject(new Error("the sheet is broken")),
    isOpen: async () => false,
    failed: ({ name }: Schedule, error: unknown) =>
      void failures.push(`${name}: ${(error as Error).message}`),
  };
  await fireDue([NIGHTLY], broken);
  expect(failures).toEqual(["nightly: the sheet is broken"]);
  await look("2026-05-02T05:00Z");
  expect(begun).toEqual(["schedule:nightly:2026-05-02T02:00:00Z"]);
});
