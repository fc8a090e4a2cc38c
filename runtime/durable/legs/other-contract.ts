import { CONTRACT } from "../../graph/contract/define.js";
import type { RunRow } from "../rows.js";

/** Why workers of this version never take a run that is due. Null when they do. */
export const otherContract = ({ status, contract }: Pick<RunRow, "status" | "contract">): string | null =>
  status !== "queued" || contract === CONTRACT
    ? null
    : `another version of flowsheet began it (contract ${contract}, here ${CONTRACT}), and only its workers go on with it`;
