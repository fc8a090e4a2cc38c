import { testInstalled } from "./installed.js";
import { node24 } from "./npm.js";

testInstalled("Node 24", node24);
