import { expect, onTestFinished } from "vitest";
import type { TestStudio } from "./local.js";

export interface Told {
  readonly id: number | null;
  readonly type: string;
  readonly data: { readonly [name: string]: unknown };
}

export interface Stream {
  readonly told: readonly Told[];
  /** The first event of a type behind those that were taken before. */
  readonly take: (type: string) => Promise<Told["data"]>;
  readonly ended: Promise<void>;
  readonly close: () => void;
}

export const headersOf = ({ secret }: TestStudio): { readonly [name: string]: string } => ({
  Authorization: `Bearer ${secret.token}`,
  "Content-Type": "application/json",
});

/** Sends a body as JSON; answers the status and what came. */
export async function post(
  studio: TestStudio,
  path: string,
  body: object,
): Promise<{ readonly status: number; readonly body: { readonly [name: string]: unknown } }> {
  const answer = await fetch(`http://127.0.0.1:${studio.port}/studio/api/${path}`, {
    ...{ method: "POST", headers: headersOf(studio), body: JSON.stringify(body) },
  });
  return { status: answer.status, body: (await answer.json()) as { readonly [name: string]: unknown } };
}

/** Reads the events of an answer as they come. */
export async function readStream(studio: TestStudio, path: string, init: RequestInit = {}): Promise<Stream> {
  const gone = new AbortController();
  onTestFinished(() => gone.abort());
  const headers = { ...headersOf(studio), ...(init.headers as { readonly [name: string]: string }) };
  const answer = await fetch(`http://127.0.0.1:${studio.port}/studio/api/${path}`, {
    ...{ ...init, headers, signal: gone.signal },
  });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  const told: Told[] = [];
  const hear = async (): Promise<void> => {
    let text = "";
    for await (const part of answer.body!.pipeThrough(new TextDecoderStream())) {
      const whole = (text + part).split("\n\n");
      text = whole.pop()!;
      for (const one of whole) {
        const [, id, type, data] = /^(?:id: (\d+)\n)?event: (\w+)\ndata: (.*)$/.exec(one) ?? [];
        if (data === undefined) continue;
        told.push({ id: id === undefined ? null : Number(id), type: type!, data: JSON.parse(data) });
      }
    }
  };
  const ended = hear().catch(() => {});
  let taken = 0;
  const take = async (type: string): Promise<Told["data"]> => {
    let found = -1;
    const look = (): number => {
      found = told.findIndex((one, at) => at >= taken && one.type === type);
      return found;
    };
    await expect.poll(look, { interval: 10 }).toBeGreaterThanOrEqual(0);
    taken = found + 1;
    return told[found]!.data;
  };
  return { told, take, ended, close: () => gone.abort() };
}
