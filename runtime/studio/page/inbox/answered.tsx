import { clock } from "../counted-time.js";
import type { RunRecord } from "../run/records.js";
import { Values } from "../run/step-details.js";
import { manyLines, oneLine } from "../sheet/shown-text.js";
import { session } from "../state.js";
import type { Visit } from "./visits.js";

/** The visits of a run that people have answered. */
export const answersOf = ({ visits = [] }: RunRecord): readonly Visit[] =>
  visits.filter((visit) => visit.answered_at !== null);

/** Who answered what and when, for whoever opens a link too late. */
export function Answered({ run }: { readonly run: RunRecord }) {
  return (
    <article class="card told" aria-label={`${run.graph_name}: answered`}>
      <h2>{oneLine(run.graph_name)}</h2>
      {answersOf(run).map((visit) => (
        <div key={`${visit.node} ${visit.visit}`}>
          <p>{saidOf(visit)}</p>
          <Values name="Answer" values={visit.writes} />
        </div>
      ))}
    </article>
  );
}

function saidOf({ node, outcome, answered_by: by, answered_at: at }: Visit): string {
  const who =
    by === null ? "was answered" : `was answered by ${by === session.value?.who ? "you" : manyLines(by)}`;
  const when = at === null ? "" : `, ${clock(Date.parse(at))}`;
  return `${oneLine(node)} ${who}${when}${outcome === "failure" ? ": rejected" : ""}.`;
}
