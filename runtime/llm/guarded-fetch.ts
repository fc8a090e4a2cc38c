import { ProviderFailure } from "./failure.js";

/** The largest answer after decompression. */
const LARGEST = 10_000_000;

/**
 * Makes the `fetch` of one provider. To protect the key, it connects only to the host of `baseUrl` and follows no
 * redirect. An answer above the limit is aborted; its size counts after decompression.
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
  // The body is decompressed now, so the headers of the compressed one are removed.
  const headers = new Headers(response.headers);
  headers.delete("content-encoding");
  headers.delete("content-length");
  return new Response(counted, { status, statusText, headers });
}
