import { inCi } from "../how-many.js";
import { testInstalled } from "./installed.js";
import { node24 } from "./npm.js";

/** The other Node is tried by this-node.test.ts, always. */
const lacks =
  "it takes a minute, which only CI is given; CI=true npx vitest run test/package/node-24 tries it";
testInstalled("Node 24", inCi ? node24 : async () => ({ lacks }));
