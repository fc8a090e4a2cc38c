import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Answer, notModified, text } from "../http/request/answer.js";
import { etagOf, isFresh } from "../http/request/etag.js";
import { HttpProblem } from "../http/request/problem.js";
import type { RequestContext, Route } from "../http/route.js";

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types flowsheet",
].join("; ");

/** The worker's script has the policy, too: a worker takes its own. */
const HEADERS = {
  "Content-Security-Policy": POLICY,
  "Cross-Origin-Opener-Policy": "same-origin",
  Vary: "Accept-Encoding",
};

const TYPES: ReadonlyMap<string, string> = new Map([
  ["html", "text/html; charset=utf-8"],
  ["js", "text/javascript; charset=utf-8"],
  ["css", "text/css; charset=utf-8"],
]);

const INDEX = "index.html";

/** A file of the page needs no credential: there are no data in it. */
const open = { method: "GET", permission: "read", isOpen: true } as const;

/** The page's addresses of its own files are relative to `/studio/`. */
export const withoutSlash: Route = {
  ...open,
  path: "/studio",
  handle: () => ({ ...text("text/plain; charset=utf-8", "", { Location: "studio/" }), status: 308 }),
};

export const page: Route = { ...open, path: "/studio/", handle: (context) => answerFile(context, INDEX) };

export const pageFile: Route = {
  ...open,
  path: "/studio/{file}",
  handle: (context) => answerFile(context, context.params.get("file") ?? ""),
};

/** What a build without the page shows. */
const NO_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Flowsheet Studio</title>
<p>The server of the Studio runs, but this build of Flowsheet holds no page for it. Build it with npm run build.</p>
</html>
`;

interface PageFile {
  readonly content: Buffer | string;
  readonly packed: boolean;
}

async function answerFile({ service, request }: RequestContext, name: string): Promise<Answer> {
  const type = TYPES.get(/\.(\w+)$/.exec(name)?.[1] ?? "");
  const packs = /\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""));
  const file = type === undefined ? null : await fileNamed(service.studioFiles, name, packs);
  if (file === null || type === undefined) throw new HttpProblem("route_not_found");
  const { content, packed } = file;
  const etag = etagOf(content);
  const headers = {
    ...HEADERS,
    ETag: etag,
    // The names of the others hold the digest of what is in them.
    "Cache-Control": name === INDEX ? "no-cache" : "public, max-age=31536000, immutable",
  };
  if (isFresh(request, etag)) return notModified(headers);
  return text(type, content, packed ? { ...headers, "Content-Encoding": "gzip" } : headers);
}

/** The name is compared with those that are there, and never becomes part of a path before. */
async function fileNamed(folder: string, name: string, packs: boolean): Promise<PageFile | null> {
  const names: readonly string[] = await readdir(folder).catch(() => []);
  if (!names.includes(name)) return name === INDEX ? { content: NO_PAGE, packed: false } : null;
  const packed = packs && names.includes(`${name}.gz`);
  return { content: await readFile(join(folder, packed ? `${name}.gz` : name)), packed };
}
