import { connect } from "node:net";

/** The answer to a message that says that it is for another host. */
export function rawRequest(port: number, host: string, key: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    socket.on("data", (part) => {
      text += part.toString();
    });
    socket.on("close", () => resolve(text));
    socket.on("error", reject);
    socket.end(
      `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
    );
  });
}
