import { InputError } from "../graph/contract/errors.js";

/** A given value that does not fit the graph, and what would do. */
export interface GivenProblem {
  readonly field: string;
  readonly message: string;
  readonly help: string | null;
}

/** Values that no run can begin with: all that is wrong with them. */
export class GivenError extends InputError {
  readonly problems: readonly GivenProblem[];
  readonly help: string | null;
  constructor(problems: readonly [GivenProblem, ...(readonly GivenProblem[])]) {
    const [{ field, message, help }, ...others] = problems;
    const first = help === null ? message : `${message} (${help})`;
    super(field, [first, ...others.map((one) => one.message)].join("; "));
    this.problems = problems;
    this.help = help;
  }
}
