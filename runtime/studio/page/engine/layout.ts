/** What lays pictures out, exchanges names, and tells of agents: the engine loads it when it has read the sheet. */
export { about } from "../../../agents/about.js";
export { layOutGraph } from "../../../draw/svg/layout.js";
export { mentionsOf, renamed } from "./renaming.js";
