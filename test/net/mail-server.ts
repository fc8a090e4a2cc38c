import { type AddressInfo, createServer } from "node:net";

export interface MailServer extends AsyncDisposable {
  /** `127.0.0.1:port`, as `network.allow` names it. */
  readonly host: string;
  readonly port: number;
  /** What each mail was sent with: the commands before it, and its text. */
  readonly mails: { readonly commands: readonly string[]; readonly text: string }[];
}

/** A mail server on this machine that takes everything, but commands that begin as `refused` does. */
export async function listenForMail(refused = "nothing"): Promise<MailServer> {
  const mails: MailServer["mails"] = [];
  const server = createServer((socket) => {
    let commands: string[] = [];
    let text: string | null = null;
    let rest = "";
    socket.on("error", () => {});
    socket.write("220 ready\r\n");
    socket.on("data", (chunk) => {
      const lines = (rest + chunk).split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (text !== null) {
          if (line === ".") {
            mails.push({ commands, text });
            [commands, text] = [[], null];
            socket.write("250 taken\r\n");
          } else text += `${line}\n`;
          continue;
        }
        commands.push(line);
        if (line.startsWith(refused)) socket.write("550 no such mailbox\r\n");
        else if (line.startsWith("EHLO")) socket.write("250-here\r\n250 AUTH PLAIN\r\n");
        else if (line.startsWith("AUTH")) socket.write("235 welcome\r\n");
        else if (line === "DATA") {
          text = "";
          socket.write("354 go on\r\n");
        } else socket.write("250 ok\r\n");
      }
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    port,
    mails,
    [Symbol.asyncDispose]: () => new Promise((done) => server.close(() => done())),
  };
}
