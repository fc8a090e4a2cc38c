import { testInstalled } from "./installed.js";
import { thisNode } from "./npm.js";

testInstalled(`Node ${process.versions.node}`, async () => ({ bin: thisNode() }));
