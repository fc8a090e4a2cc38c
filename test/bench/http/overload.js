// Sends more requests than there is room for, at a rate that does not wait for answers.
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const CONNECTIONS = 1_000;
/** So long a run that was let in may take to be answered. */
const LAST_MS = 3_000;

/**
 * Ten times too many clients do not ask in step: requests are due one by one, at random, and a time counts from when
 * its request was due. Autocannon's fixed rate sends a second's requests of all its connections at once, and the last
 * of a thousand is not answered before a thousand are: at 4,000 answers a second after 250 ms, however soon the
 * server tells each. The sockets are plain ones, since this runs beside the server: what it takes, the server lacks.
 */
export async function overload({ url, headers, body, rate, seconds }) {
  const seen = { statuses: {}, refused: [], errors: 0 };
  const request = requestText(url, headers, body);
  const sockets = new Set();
  const idle = [];
  // Whoever is refused is told to close; the next request of that client comes by a new connection.
  const add = async () => {
    const socket = await open(url, seen);
    sockets.add(socket);
    idle.push(socket);
    socket.on("answered", (closes) => {
      if (!closes) return idle.push(socket);
      sockets.delete(socket);
      socket.destroy();
      return add();
    });
  };
  for (let i = 0; i < CONNECTIONS; i++) await add();
  const pause = () => (-Math.log(1 - Math.random()) * 1_000) / rate;
  const began = performance.now();
  for (let due = began; due < began + seconds * 1_000; due += pause()) {
    while (performance.now() < due) await sleep(1);
    send(idle.shift(), { request, due, seen });
  }
  for (const late = performance.now() + LAST_MS; idle.length < CONNECTIONS && performance.now() < late; )
    await sleep(10);
  seen.errors += CONNECTIONS - idle.length;
  for (const socket of sockets) socket.destroy();
  return seen;
}

function requestText(url, headers, body) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const length = Buffer.byteLength(body);
  return [
    "POST /execute HTTP/1.1",
    `host: ${new URL(url).host}`,
    ...lines,
    `content-length: ${length}`,
    "",
    body,
  ].join("\r\n");
}

/** Without a connection that is free, more requests are under way than any server should have taken. */
function send(socket, { request, due, seen }) {
  if (socket === undefined) {
    seen.errors++;
    return;
  }
  socket.due = due;
  socket.write(request);
}

async function open(url, seen) {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  let text = "";
  socket.setEncoding("latin1");
  socket.on("data", (part) => {
    text += part;
    const end = text.indexOf("\r\n\r\n") + 4;
    const length = Number(/^content-length: (\d+)\r$/im.exec(text)?.[1]);
    if (end < 4 || text.length < end + length) return;
    const head = text.slice(0, end);
    take(head, performance.now() - socket.due, seen);
    text = "";
    socket.emit("answered", /^connection: close\r$/im.test(head));
  });
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

function take(head, ms, { statuses, refused }) {
  const status = head.slice(9, 12);
  const isRefusal = status === "503";
  const kind = isRefusal && !/^retry-after: [1-9]/im.test(head) ? "503 without Retry-After" : status;
  statuses[kind] = (statuses[kind] ?? 0) + 1;
  if (isRefusal) refused.push(ms);
}
