export interface StreamedEvent {
  readonly id: string | null;
  readonly type: string;
  readonly data: { readonly [name: string]: unknown };
}

/** The events of an answer. Read with fetch, as EventSource can send no header. */
export async function* eventsIn(response: Response): AsyncGenerator<StreamedEvent, undefined> {
  if (response.body === null) return;
  let rest = "";
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + piece).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = eventOf(block);
      if (event !== null) yield event;
    }
  }
}

function eventOf(block: string): StreamedEvent | null {
  const lines = new Map(
    block.split("\n").map((line) => {
      const colon = line.indexOf(": ");
      return [line.slice(0, colon), line.slice(colon + 2)] as const;
    }),
  );
  const data = lines.get("data");
  if (data === undefined) return null;
  return { id: lines.get("id") ?? null, type: lines.get("event") ?? "", data: JSON.parse(data) };
}
