/** What lays pictures out, and exchanges names: the engine loads it when the first picture is wanted. */
export { layOutGraph } from "../../../draw/svg/layout.js";
export { mentionsOf, renamed } from "./renaming.js";
