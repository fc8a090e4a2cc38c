/** What lays pictures out: the engine loads it when the first picture is wanted. */
export { layOutGraph } from "../../../draw/svg/layout.js";
