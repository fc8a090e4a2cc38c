import { configureGlobal } from "fast-check";
import { firstSeed } from "./seed.js";

configureGlobal({ seed: firstSeed });
