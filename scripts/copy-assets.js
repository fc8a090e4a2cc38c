// Makes the pages' assets: our own, and those of packages that are too large to depend on, or that report who installs them.
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import swagger from "swagger-ui-express";

const packageFolder = (name) => fileURLToPath(new URL(`../node_modules/${name}/`, import.meta.url));

/** Puts the programs of both pages and their licences into a folder. */
export function copyAssets(folder) {
  mkdirSync(folder, { recursive: true });
  cpSync("runtime/http/pages", folder, { recursive: true });
  copyRedoc(folder);
  copySwagger(folder);
}

/** An address that the page would fetch a picture from: nothing may leave the page's origin. */
const LOGO = /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini\.svg/g;
const NO_PICTURE = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E";

function copyRedoc(folder) {
  const bundles = join(packageFolder("redoc"), "bundles");
  const program = readFileSync(join(bundles, "redoc.standalone.js"), "utf8");
  if (!LOGO.test(program))
    throw new Error("redoc has no logo address any more: look where it loads pictures from");
  const own = withoutMap(program.replace(LOGO, NO_PICTURE));
  writeFileSync(join(folder, "redoc.standalone.js"), own);
  copyFileSync(
    join(bundles, "redoc.standalone.js.LICENSE.txt"),
    join(folder, "redoc.standalone.js.LICENSE.txt"),
  );
}

/** Maps of sources are not served. */
const withoutMap = (text) =>
  text.replace(/\s*(?:\/\/# sourceMappingURL=\S*|\/\*# sourceMappingURL=\S*\s*\*\/)\s*$/, "\n");

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title><% title %></title>
<link rel="icon" href="favicon.ico">
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/page.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/init.js"></script>
</body>
</html>
`;

function copySwagger(folder) {
  const options = { customSiteTitle: "Flowsheet: try it out" };
  // The template stands at the end of its parameters.
  const page = swagger.generateHTML(undefined, options, ...Array.from({ length: 5 }), PAGE);
  writeFileSync(join(folder, "docs.html"), page);
  const dist = packageFolder("swagger-ui-dist");
  for (const name of ["swagger-ui.css", "swagger-ui-bundle.js"])
    writeFileSync(join(folder, name), withoutMap(readFileSync(join(dist, name), "utf8")));
  copyFileSync(join(dist, "LICENSE"), join(folder, "swagger-ui.LICENSE.txt"));
  copyFileSync(join(dist, "NOTICE"), join(folder, "swagger-ui.NOTICE.txt"));
  copyFileSync(
    join(dist, "swagger-ui-bundle.js.LICENSE.txt"),
    join(folder, "swagger-ui-bundle.js.LICENSE.txt"),
  );
}
