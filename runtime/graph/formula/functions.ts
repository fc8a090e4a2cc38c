import { asBoolean, asList, asNumber, asText, isBlank, isNumber, noMatch } from "./check-value.js";
import { compare, exact, same } from "./compare.js";
import { dateAdd, dateDif } from "./dates.js";
import { filterBy, item, json, sorted, unique } from "./lists.js";
import { lookup, lookupRow } from "./lookup.js";
import { average, count, divide, finite, max, min, mod, power, round, sum, toNumber } from "./numbers.js";
import { contains, formatted, left, mid, right, split, substitute, textJoin, trim } from "./texts.js";

/** The functions that formulas call: generated modules import them, linked graphs find them here. */
export const formulaFunctions = {
  ...{ asBoolean, asList, asNumber, asText, isBlank, isNumber, noMatch },
  ...{ compare, exact, same },
  ...{ dateAdd, dateDif },
  ...{ lookup, lookupRow },
  ...{ filterBy, item, json, sorted, unique },
  ...{ average, count, divide, finite, max, min, mod, power, round, sum, toNumber },
  ...{ contains, formatted, left, mid, right, split, substitute, textJoin, trim },
} as const;
