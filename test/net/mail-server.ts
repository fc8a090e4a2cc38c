import { type AddressInfo, createServer, type Socket } from "node:net";

export interface MailServer extends AsyncDisposable {
  /** `127.0.0.1:port`, as `network.allow` names it. */
  readonly host: string;
  readonly port: number;
  /** How many came so far. */
  readonly connections: () => number;
  /** Resolves when no connection is open. */
  readonly quiet: () => Promise<void>;
  /** What each mail was sent with: the commands before it, and its text. */
  readonly mails: { readonly commands: readonly string[]; readonly text: string }[];
}

/** What a server does instead of what it should: another reply, silence for "", or the end of the connection. */
export type Fault = (line: string) => string | "cut" | undefined;

/**
 * A mail server on this machine that takes everything, but commands that begin as `refused` does. A fault is asked for
 * `CONNECT`, each command, and `.`.
 */
export async function listenForMail(
  refused = "nothing",
  fault: Fault = () => undefined,
): Promise<MailServer> {
  const mails: MailServer["mails"] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let commands: string[] = [];
    let text: string | null = null;
    let rest = "";
    socket.on("error", () => {});
    const say = (line: string, usual: string): void => {
      const odd = fault(line);
      if (odd === "cut") socket.destroy();
      else if (odd !== "") socket.write(`${odd ?? usual}\r\n`);
    };
    say("CONNECT", "220 ready");
    socket.on("data", (chunk) => {
      const lines = (rest + chunk).split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (text !== null) {
          if (line === ".") {
            mails.push({ commands, text });
            [commands, text] = [[], null];
            say(".", "250 taken");
          } else text += `${line}\n`;
          continue;
        }
        commands.push(line);
        if (line.startsWith(refused)) say(line, "550 no such mailbox");
        else if (line.startsWith("EHLO")) say(line, "250-here\r\n250 AUTH PLAIN");
        else if (line.startsWith("AUTH")) say(line, "235 welcome");
        else if (line === "DATA") {
          text = "";
          say(line, "354 go on");
        } else say(line, "250 ok");
      }
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    port,
    mails,
    connections: () => sockets.size,
    quiet: async () => {
      await Promise.all(
        [...sockets].map((socket) => socket.closed || new Promise((done) => socket.once("close", done))),
      );
    },
    [Symbol.asyncDispose]: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((done) => server.close(() => done()));
    },
  };
}
