import { useEffect, useState } from "preact/hooks";
import { listOf } from "../../address.js";
import { goTo } from "../../choose.js";
import { clock } from "../../counted-time.js";
import { listRuns, statusOf } from "../../run/records.js";
import { WORDS } from "../../run/status-word.js";
import { session } from "../../state.js";
import type { Findable } from "./sources.js";

/** Shorter texts would find most runs. */
const SHORTEST = 3;
const MOST = "8";
/** The server is asked when nobody types for so long. */
const QUIET_MS = 200;

const mayLook = (): boolean => session.value?.features.history === true && session.value.can.includes("read");

interface Found {
  readonly asked: string;
  readonly runs: readonly Findable[];
}

const NONE: Found = { asked: "", runs: [] };

/** Runs whose id, graph or values hold the text, as the server finds them. */
export function useFoundRuns(text: string): readonly Findable[] {
  const [found, setFound] = useState<Found>(NONE);
  const asked = text.trim();
  useEffect(() => {
    if (asked.length < SHORTEST || !mayLook()) return;
    let isCurrent = true;
    const ask = async (): Promise<void> => {
      const { runs } = await listRuns({ status: "all", q: asked, limit: MOST });
      if (!isCurrent) return;
      setFound({
        asked,
        runs: runs.map(({ run_id: id, graph_name: name, status, created_at: at }): Findable => {
          const about = `${WORDS[statusOf(status)]} · ${clock(Date.parse(at))} · ${id.slice(0, 8)}`;
          return { kind: "run", name, about, go: () => goTo({ ...listOf("runs"), run: id }) };
        }),
      });
    };
    // What is found without the server stays.
    const timer = setTimeout(() => void ask().catch(() => {}), QUIET_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [asked]);
  // Runs of a text that is no longer there would be chosen by Enter.
  return found.asked === asked ? found.runs : NONE.runs;
}
