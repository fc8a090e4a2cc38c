import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createFavicon } from "../favicon.js";
import { createOpenApi } from "../openapi/openapi.js";
import { json, text } from "../request/answer.js";
import type { Call } from "../request/call.js";
import { HttpProblem } from "../request/problem.js";
import { addressOf } from "../request/target.js";
import type { Route } from "../route.js";
import type { Service } from "../service.js";
import { HOME_SCRIPT, HOME_STYLE, homePage } from "./home-page.js";

const HTML = "text/html; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";

const policy = (rules: readonly string[]): { readonly "Content-Security-Policy": string } => ({
  "Content-Security-Policy": [
    "default-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    ...rules,
  ].join("; "),
});
const hashOf = (content: string): string =>
  `'sha256-${createHash("sha256").update(content).digest("base64")}'`;

const HOME_POLICY = policy([
  `script-src ${hashOf(HOME_SCRIPT)}`,
  `style-src ${hashOf(HOME_STYLE)}`,
  "img-src 'self' data:",
  "connect-src 'self'",
]);
/** Both pages write styles as they go; scripts come from files alone. */
const DOCS_POLICY = policy([
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
]);

const LINKS = {
  workflows: "workflows",
  health: "health",
  docs: "docs",
  redoc: "redoc",
  openapi: "openapi.json",
} as const;

export const home: Route = {
  method: "GET",
  path: "/",
  permission: "read",
  showsMore: true,
  handle: (call) => {
    const { version, catalogue } = call.service;
    if (wantsHtml(call))
      return text(HTML, homePage({ version, mayRead: call.mayRead, prefix: prefixOf(call) }), HOME_POLICY);
    const base = baseOf(call);
    const links = Object.fromEntries(Object.entries(LINKS).map(([name, path]) => [name, `${base}/${path}`]));
    const workflows = call.mayRead ? { workflows: catalogue.list().map(({ name }) => name) } : {};
    return json({ service: "flowsheet", version, links, ...workflows });
  },
};

const wantsHtml = ({ request }: Call): boolean => /\btext\/html\b/i.test(request.headers.accept ?? "");

/** A page at `/flows` has its parts at `/flows/docs`: its links must name the last part of its own path again. */
function prefixOf({ request }: Call): string {
  const [, last = ""] = /([\w.~%-]+)$/.exec(addressOf(request).split("?")[0] ?? "") ?? [];
  return last === "" ? "" : `${last}/`;
}

/** What stands before the service's paths, as the client sees them. */
function baseOf({ request, service }: Call): string {
  const mounted = (request as { readonly baseUrl?: unknown }).baseUrl;
  return `${typeof mounted === "string" ? mounted : ""}${service.basePath}`;
}

const icon = createFavicon();
export const favicon: Route = {
  method: "GET",
  path: "/favicon.ico",
  permission: "read",
  handle: () => text("image/x-icon", icon, { "Cache-Control": "max-age=86400" }),
};

export const openApi: Route = {
  method: "GET",
  path: "/openapi.json",
  permission: "read",
  showsMore: true,
  handle: (call) => {
    const { version, catalogue } = call.service;
    const workflows = call.mayRead ? catalogue.list() : [];
    return json(createOpenApi({ version, base: baseOf(call), workflows }));
  },
};

const shell = (title: string, inside: string): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="favicon.ico">
${inside}
</html>
`;

export const docs: Route = {
  method: "GET",
  path: "/docs",
  permission: "read",
  handle: async ({ service }) => text(HTML, await assetOf(service, "docs.html"), DOCS_POLICY),
};

const DOCS_SCRIPT = `window.ui = SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#swagger-ui",
  deepLinking: true,
  validatorUrl: null,
  persistAuthorization: false,
});
`;
const DOCS_STYLE = "body { margin: 0; }\n";

export const docsAssets: Route = {
  method: "GET",
  path: "/docs/{asset}",
  permission: "read",
  publicAs: "/docs",
  handle: async ({ params, service }) => {
    switch (params.get("asset")) {
      case "init.js":
        return text(SCRIPT, DOCS_SCRIPT);
      case "page.css":
        return text("text/css; charset=utf-8", DOCS_STYLE);
      case "swagger-ui.css":
        return text("text/css; charset=utf-8", await assetOf(service, "swagger-ui.css"), KEEP);
      case "swagger-ui-bundle.js":
        return text(SCRIPT, await assetOf(service, "swagger-ui-bundle.js"), KEEP);
      default:
        throw new HttpProblem("route_not_found");
    }
  },
};

const KEEP = { "Cache-Control": "max-age=3600" };

const assetOf = ({ assets }: Service, name: string): Promise<Buffer> => readFile(join(assets, name));

export const redoc: Route = {
  method: "GET",
  path: "/redoc",
  permission: "read",
  handle: () =>
    text(
      HTML,
      shell(
        "Flowsheet: reference",
        `<link rel="stylesheet" href="redoc/page.css">
</head>
<body>
<div id="redoc"></div>
<script src="redoc/redoc.standalone.js"></script>
<script src="redoc/init.js"></script>
</body>`,
      ),
      DOCS_POLICY,
    ),
};

const REDOC_SCRIPT = `Redoc.init("openapi.json", { disableSearch: true, hideLoading: true }, document.getElementById("redoc"));
`;

export const redocAssets: Route = {
  method: "GET",
  path: "/redoc/{asset}",
  permission: "read",
  publicAs: "/redoc",
  handle: async ({ params, service }) => {
    switch (params.get("asset")) {
      case "init.js":
        return text(SCRIPT, REDOC_SCRIPT);
      case "page.css":
        return text("text/css; charset=utf-8", DOCS_STYLE);
      case "redoc.standalone.js":
        return text(SCRIPT, await assetOf(service, "redoc.standalone.js"), KEEP);
      default:
        throw new HttpProblem("route_not_found");
    }
  },
};
