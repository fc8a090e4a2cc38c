/** Whether a server that listens there is reached from this machine only. */
export function isLoopbackBind(host: string): boolean {
  return /^localhost$/i.test(host) || isLoopbackAddress(host.replace(/^\[|\]$/g, ""));
}

/** Whether the other end of a socket is on this machine. */
export function isLoopbackAddress(address: string | undefined): boolean {
  return address !== undefined && /^(?:(?:::ffff:)?127(?:\.\d{1,3}){3}|::1|0:0:0:0:0:0:0:1)$/i.test(address);
}

/**
 * Whether a request was sent to this machine under one of its own names. A page of another site whose name was
 * made to point here still sends its own name.
 */
export function isLocalHostHeader(host: string | undefined): boolean {
  return host !== undefined && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i.test(host);
}

/** An IPv4 address, or the network of an IPv6 one: whoever has one address of it has them all. */
export function networkOf(address = "unknown"): string {
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.split("%", 1)[0]?.split("::", 2) ?? [];
  const groups = head === "" ? [] : head.split(":");
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === "" ? 0 : tail.split(":").length);
  const full = [...groups, ...Array<string>(Math.max(0, missing)).fill("0"), ...(tail ?? "").split(":")];
  return full.slice(0, 4).join(":").toLowerCase();
}
