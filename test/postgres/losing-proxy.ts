import { connect, createServer, type Socket } from "node:net";

/** Stands between a store and its server, and breaks connections at a moment of one's choice. */
export interface LosingProxy {
  /** The URL of the server, through the proxy. */
  readonly url: string;
  /** The answer of this number from now on is lost, and its connection breaks. */
  readonly lose: (answer: number) => void;
  /** Whether that answer has come. Nothing is lost any more. */
  readonly hasLost: () => boolean;
  readonly close: () => Promise<void>;
}

export async function losingProxy(url: string): Promise<LosingProxy> {
  const server = new URL(url);
  let left: number | null = null;
  const open = new Set<Socket>();
  const isLost = (): boolean => {
    if (left === null || --left > 0) return false;
    left = null;
    return true;
  };
  const door = createServer((client) => {
    const behind = connect(Number(server.port), server.hostname);
    for (const socket of [client, behind]) {
      open.add(socket);
      socket
        .on("error", () => {})
        .on("close", () => {
          open.delete(socket);
          client.destroy();
          behind.destroy();
        });
    }
    client.on("data", (data) => behind.write(data));
    behind.on("data", (data) => (isLost() ? client.destroy() : client.write(data)));
  });
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  const through = new URL(url);
  through.port = String((door.address() as { readonly port: number }).port);
  return {
    url: through.href,
    lose: (answer) => {
      left = answer;
    },
    hasLost: () => {
      const was = left;
      left = null;
      return was === null;
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => door.close(resolve));
    },
  };
}
