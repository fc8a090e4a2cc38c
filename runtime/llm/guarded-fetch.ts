import { ProviderFailure } from "./failure.js";

/** The largest answer, unpacked. */
const LARGEST = 10_000_000;

/**
 * Makes the `fetch` of one provider. It speaks with the host of `baseUrl` only and follows no redirect, so that the
 * key goes nowhere else. An answer that is too large is cut off while it comes in: what it unpacks to counts.
 */
export function createGuardedFetch(baseUrl: string, largest = LARGEST): typeof fetch {
  const { origin } = new URL(baseUrl);
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== origin)
      throw new ProviderFailure(`refused to call ${url.host}: the provider is at ${origin}`);
    const response = await fetch(input, { ...init, redirect: "manual" });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new ProviderFailure(redirected(response));
    }
    return limited(response, largest);
  };
}

function redirected(response: Response): string {
  const to = response.headers.get("location");
  const host = to !== null && URL.canParse(to, response.url) ? ` to ${new URL(to, response.url).host}` : "";
  return `the server redirects${host} (HTTP ${response.status}), which is not followed: check base_url`;
}

/** The same answer, with an end. */
function limited(response: Response, largest: number): Response {
  const { body, status, statusText } = response;
  if (body === null) return response;
  let size = 0;
  const counted = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.byteLength;
        if (size > largest)
          controller.error(new ProviderFailure(`the answer is larger than ${largest} bytes`));
        else controller.enqueue(chunk);
      },
    }),
  );
  // What is unpacked by now must not be called packed, nor have the length of the packed one.
  const headers = new Headers(response.headers);
  headers.delete("content-encoding");
  headers.delete("content-length");
  return new Response(counted, { status, statusText, headers });
}
