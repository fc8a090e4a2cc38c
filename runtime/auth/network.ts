/** True when a server with this address is reachable from this machine only. */
export function isLoopbackBind(host: string): boolean {
  return /^localhost$/i.test(host) || isLoopbackAddress(host.replace(/^\[|\]$/g, ""));
}

/** True when the address is of this machine. */
export function isLoopbackAddress(address: string | undefined): boolean {
  return address !== undefined && /^(?:(?:::ffff:)?127(?:\.\d{1,3}){3}|::1|0:0:0:0:0:0:0:1)$/i.test(address);
}

/** True when the Host header is a local name. This stops DNS rebinding: such a page sends its own name. */
export function isLocalHostHeader(host: string | undefined): boolean {
  return host !== undefined && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i.test(host);
}

/** An IPv4 address, or the network of an IPv6 address, since its owner has all addresses of it. */
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
