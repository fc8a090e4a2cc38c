import { expect, it } from "vitest";
import { EventQueue } from "../../runtime/graph/tell/stream.js";
import { tiny } from "./tiny.js";

const done = { done: true, value: undefined };

it("two calls of next() wait for two events, in their order", async () => {
  const queue = new EventQueue<string>();
  const both = Promise.all([queue.next(), queue.next(), queue.next()]);
  queue.push("a");
  queue.push("b");
  queue.close();
  expect(await both).toEqual([{ done: false, value: "a" }, { done: false, value: "b" }, done]);
  expect(await queue.next()).toEqual(done);
});

it("return() settles the calls of next() that wait, and ends the stream", async () => {
  const queue = new EventQueue<string>();
  const waiting = [queue.next(), queue.next()];
  expect(await queue.return()).toEqual(done);
  expect(await Promise.all(waiting)).toEqual([done, done]);
  queue.push("late");
  queue.fail(new Error("late"));
  expect(await queue.next()).toEqual(done);
});

it("one reader is told of an error, and the others that it is over", async () => {
  const queue = new EventQueue<string>();
  const waiting = Promise.allSettled([queue.next(), queue.next()]);
  queue.fail(new Error("no such field"));
  expect(await waiting).toMatchObject([{ status: "rejected" }, { status: "fulfilled", value: done }]);
  const late = new EventQueue<string>();
  late.push("a");
  late.fail(new Error("no such field"));
  expect(await late.next()).toEqual({ done: false, value: "a" });
  await expect(late.next()).rejects.toThrow("no such field");
  expect(await late.next()).toEqual(done);
});

it("all events of a run are there for readers that ask ahead", async () => {
  const graph = tiny({ A: { agent: async () => 1, next: "B" }, B: async () => 2 });
  const events = graph.stream({})[Symbol.asyncIterator]();
  const asked = await Promise.all(Array.from({ length: 8 }, () => events.next()));
  expect(asked.map(({ value }) => (value === undefined ? "" : value.type))).toEqual([
    ...["node_start", "node_end", "node_start", "node_end", "run_end"],
    ...["", "", ""],
  ]);
});
