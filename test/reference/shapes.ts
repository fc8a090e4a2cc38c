import type { Shape } from "./shape.js";
import { FAILURE_SHAPES } from "./shapes-failures.js";
import { FIELD_SHAPES } from "./shapes-fields.js";
import { LOOP_SHAPES } from "./shapes-loops.js";
import { MEETING_SHAPES } from "./shapes-meetings.js";
import { WAITING_SHAPES } from "./shapes-waiting.js";

/** All shapes made by hand, with what must come of them: for the reference, the compiler and the driver alike. */
export const SHAPES: readonly Shape[] = [
  ...MEETING_SHAPES,
  ...FAILURE_SHAPES,
  ...LOOP_SHAPES,
  ...WAITING_SHAPES,
  ...FIELD_SHAPES,
];
