import { InputError } from "../graph/contract/errors.js";

export interface GivenProblem {
  readonly field: string;
  readonly message: string;
  readonly help: string | null;
}

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
