import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { lazily, once } from "../../lazy.js";
import { keepDocuments } from "../openapi/kept-documents.js";
import { createOpenApi } from "../openapi/openapi.js";
import { answersJson, answersText } from "../openapi/operation.js";
import { type Answer, json, text } from "../request/answer.js";
import { HttpProblem } from "../request/problem.js";
import type { RequestContext, Route } from "../route.js";
import type { Service } from "../service.js";
import { workflowsFor } from "../workflow-access.js";

const HTML = "text/html; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";
const STYLE = "text/css; charset=utf-8";

const NOTHING_ELSE = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const policy = (rules: string): { readonly "Content-Security-Policy": string } => ({
  "Content-Security-Policy": `${NOTHING_ELSE}; ${rules}`,
});

/** Both pages set styles from code. Scripts come only from files. */
const DOCS_POLICY = policy(
  "script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'",
);

/** The page's own scripts and styles are allowed by their hash. Nothing else may run in it. */
function homePolicy(page: string): ReturnType<typeof policy> {
  const hashOf = (element: string): string => {
    const [, content = ""] = new RegExp(`<${element}>([^]*?)</${element}>`).exec(page) ?? [];
    return `'sha256-${createHash("sha256").update(content).digest("base64")}'`;
  };
  const own = `script-src ${hashOf("script")}; style-src ${hashOf("style")}`;
  return policy(`${own}; img-src 'self' data:; connect-src 'self'`);
}

const LINKS = {
  workflows: "workflows",
  health: "health",
  docs: "docs",
  redoc: "redoc",
  openapi: "openapi.json",
} as const;

const homeBody = z
  .object({
    service: z.literal("flowsheet"),
    version: z.string(),
    links: z.record(z.string(), z.string()),
    workflows: z
      .array(z.string())
      .optional()
      .meta({ description: "The names of the workflows, for whoever may read." }),
  })
  .meta({ id: "Home" });

export const home: Route = {
  method: "GET",
  path: "/",
  permission: "read",
  showsMore: true,
  operation: {
    summary: "What this is, and where its parts are",
    tag: "service",
    answers: { "200": answersJson(homeBody, "JSON; a page for `Accept: text/html`.", "text/html") },
  },
  handle: (context) => {
    const { mayRead, request, service } = context;
    if (/\btext\/html\b/i.test(request.headers.accept ?? "")) return homePage(context);
    const base = baseOf(context);
    const all = service.studio === null ? LINKS : { ...LINKS, studio: "studio/" };
    const links = Object.fromEntries(Object.entries(all).map(([name, path]) => [name, `${base}/${path}`]));
    const workflows = mayRead ? { workflows: workflowsFor(context).map(({ name }) => name) } : {};
    return json({ service: "flowsheet", version: service.version, links, ...workflows });
  },
};

/** Asks for a key when one is needed, and shows the pictures of the workflows. */
async function homePage({ mayRead, request, service }: RequestContext): Promise<Answer> {
  const page = `${await readAsset(service, "home.html")}`;
  const address = request.originalUrl ?? request.url ?? "";
  // Links are relative, because a proxy may remove a part of the path. A page at /flows repeats `flows` in its links.
  const [, last = ""] = /([\w.~%-]+)$/.exec(address.split("?")[0] ?? "") ?? [];
  const filled = page
    .replace("{{studio}}", service.studio === null ? "" : '<a href="{{prefix}}studio/">Studio</a> ')
    .replaceAll("{{version}}", service.version)
    .replaceAll("{{prefix}}", last === "" ? "" : `${last}/`)
    .replace("{{open}}", mayRead ? " data-open" : "");
  return text(HTML, filled, homePolicy(page));
}

/** The base path as the client sees it. */
const baseOf = ({ request: { baseUrl = "" }, service }: RequestContext): string =>
  `${baseUrl}${service.settings.server.base_path}`;

export interface DescribedRoutes {
  readonly always: () => readonly Route[];
  /** Where there is a Studio. */
  readonly studio: () => Promise<readonly Route[]>;
}

const documentsOf = (routes: readonly Route[]) =>
  keepDocuments((described) => JSON.stringify(createOpenApi(routes, described)));

/** The OpenAPI document of the routes, with this one. */
export function createOpenApiRoute({ always, studio }: DescribedRoutes): Route {
  const plain = once(() => documentsOf(always()));
  const withStudio = lazily(async () => documentsOf([...always(), ...(await studio())]));
  return {
    method: "GET",
    path: "/openapi.json",
    permission: "read",
    showsMore: true,
    operation: {
      summary: "This description",
      tag: "service",
      answers: { "200": answersText("application/json", "OpenAPI 3.1.") },
    },
    handle: async (context) => {
      const { version, studio } = context.service;
      const documentOf = studio === null ? plain() : await withStudio();
      const workflows = context.mayRead ? workflowsFor(context) : [];
      return text("application/json", documentOf({ version, base: baseOf(context), workflows }));
    },
  };
}

type Asset = readonly [file: string, type: string, headers?: { readonly [name: string]: string }];

const readAsset = ({ assets }: Service, file: string): Promise<Buffer> => readFile(join(assets, file));

const answerAsset = async (service: Service, [file, type, headers]: Asset): Promise<Answer> =>
  text(type, await readAsset(service, file), headers);

const assetRoute = (path: string, asset: Asset, summary: string, answer = "A page."): Route => ({
  method: "GET",
  path,
  permission: "read",
  operation: {
    summary,
    tag: "service",
    answers: { "200": answersText(asset[1].split(";")[0] ?? "", answer) },
  },
  handle: ({ service }) => answerAsset(service, asset),
});

export const docs = assetRoute("/docs", ["docs.html", HTML, DOCS_POLICY], "This description, to try out");
export const redoc = assetRoute("/redoc", ["redoc.html", HTML, DOCS_POLICY], "This description, to read");
export const favicon = assetRoute(
  "/favicon.ico",
  ["favicon.ico", "image/x-icon", { "Cache-Control": "max-age=86400" }],
  "An icon",
  "The icon.",
);

const KEEP = { "Cache-Control": "max-age=3600" };
const PARTS: ReadonlyMap<string, Asset> = new Map<string, Asset>([
  ["/docs/init.js", ["docs-init.js", SCRIPT]],
  ["/docs/page.css", ["page.css", STYLE]],
  ["/docs/swagger-ui.css", ["swagger-ui.css", STYLE, KEEP]],
  ["/docs/swagger-ui-bundle.js", ["swagger-ui-bundle.js", SCRIPT, KEEP]],
  ["/redoc/init.js", ["redoc-init.js", SCRIPT]],
  ["/redoc/page.css", ["page.css", STYLE]],
  ["/redoc/redoc.standalone.js", ["redoc.standalone.js", SCRIPT, KEEP]],
]);

/** The assets of a page. They are public when the page is. */
const partsOf = (page: string): Route => ({
  method: "GET",
  path: `${page}/{asset}`,
  permission: "read",
  publicAs: page,
  handle: ({ path, service }) => {
    const asset = PARTS.get(path);
    if (asset === undefined) throw new HttpProblem("route_not_found");
    return answerAsset(service, asset);
  },
});

export const docsParts = partsOf("/docs");
export const redocParts = partsOf("/redoc");
