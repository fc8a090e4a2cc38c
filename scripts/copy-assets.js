// Copies what pages need from packages that are too large to depend on.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** An address that the page would fetch a picture from: nothing may leave the page's origin. */
const LOGO = /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini\.svg/g;
const NO_PICTURE = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E";

/** Puts the reference page's program and its licences into a folder. */
export function copyAssets(folder) {
  mkdirSync(folder, { recursive: true });
  const bundles = fileURLToPath(new URL("../node_modules/redoc/bundles/", import.meta.url));
  const program = readFileSync(join(bundles, "redoc.standalone.js"), "utf8");
  if (!LOGO.test(program))
    throw new Error("redoc has no logo address any more: look where it loads pictures from");
  // The map of its source is not served.
  const own = program.replace(LOGO, NO_PICTURE).replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n");
  writeFileSync(join(folder, "redoc.standalone.js"), own);
  copyFileSync(
    join(bundles, "redoc.standalone.js.LICENSE.txt"),
    join(folder, "redoc.standalone.js.LICENSE.txt"),
  );
}
