import { Agent } from "flowsheet";

export interface TidyNameInputs {
  readonly name: string;
}

export interface TidyNameResult {
  readonly full_name: string;
}

/** Writes a name as a name is written: "ada  lovelace" is "Ada Lovelace". In a sheet its type is tidy_name. */
export class TidyNameAgent extends Agent<TidyNameInputs, TidyNameResult> {
  override process({ name }: TidyNameInputs): TidyNameResult {
    const words = name.split(/\s+/u).filter((word) => word !== "");
    return { full_name: words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" ") };
  }
}
