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
