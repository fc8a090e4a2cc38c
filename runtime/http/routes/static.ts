import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { text } from "../request/answer.js";
import { HttpProblem } from "../request/problem.js";
import type { Route } from "../route.js";

const MAX_SIZE = 50 * 1024 * 1024;
const TYPES: { readonly [extension: string]: string } = {
  ".css": "text/css; charset=utf-8",
  ".csv": "text/csv; charset=utf-8",
  ".gif": "image/gif",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".jpg": "image/jpeg",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".md": "text/markdown; charset=utf-8",
  ".pdf": "application/pdf",
  ".png": "image/png",
  ".svg": "image/svg+xml; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};

export const staticFiles: Route = {
  method: "GET",
  path: "/static/{file*}",
  permission: "read",
  handle: async ({ service, params }) => {
    const { staticFolder } = service;
    const parts = (params.get("file") ?? "").split("/");
    // Hidden files are never served: they may be keys or repositories.
    const isRefused = staticFolder === null || parts.some((part) => part === "" || isHidden(part));
    const content = isRefused ? null : await fileIn(staticFolder, parts);
    if (content === null) throw new HttpProblem("route_not_found");
    const type = TYPES[extname(parts.at(-1) ?? "").toLowerCase()] ?? "application/octet-stream";
    return text(type, content, { "Cache-Control": "no-cache" });
  },
};

const isHidden = (name: string): boolean => name.startsWith(".");

/** The content of a file; null when it may not be served. Links must stay inside the folder. */
async function fileIn(folder: string, parts: readonly string[]): Promise<Buffer | null> {
  try {
    const root = await realpath(folder);
    const path = await realpath(join(root, ...parts));
    const inside = path.startsWith(`${root}${sep}`) ? path.slice(root.length + 1) : null;
    // The target of a link may be hidden although the link is not.
    if (inside === null || inside.split(sep).some(isHidden)) return null;
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = await file.stat();
      // A hard link may lead to a file anywhere.
      return stats.isFile() && stats.nlink === 1 && stats.size <= MAX_SIZE ? await file.readFile() : null;
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
}
