import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { fragmentOf, listOf } from "../address.js";
import { clock, since, timeOf, working } from "../counted-time.js";
import { type RunError, type RunSummary, statusOf, tookOf } from "../run/records.js";
import { WORDS } from "../run/status-word.js";
import { manyLines, oneLine } from "../sheet/shown-text.js";
import { Skeleton } from "../shell/skeleton.js";
import { useOneStop } from "../shell/use-one-stop.js";
import { place, session } from "../state.js";
import { GROUPS, type Group, numberIn } from "./groups.js";
import {
  chosenGroup,
  groupsShown,
  type Listed,
  listed,
  listTrouble,
  readMore,
  runsIn,
  words,
} from "./runs-state.js";

export function RunsList() {
  const now = listed.value;
  return (
    <section class="runs-list" aria-label="List of runs">
      <Filters />
      {listTrouble.value.map((text) => (
        <p key={text} class="said error trouble" role="alert">
          {text}
        </p>
      ))}
      {session.value?.features.history === false ? (
        <p class="quiet trouble">Not every run is kept here (runs.keep).</p>
      ) : null}
      {now === null ? <RunsToCome /> : <Groups listed={now} />}
    </section>
  );
}

const RunsToCome = () => (listTrouble.value.length > 0 ? null : <Skeleton says="The runs are looked up" />);

/** Typing settles before the server is asked. */
const SETTLED_MS = 250;

function Filters() {
  const [text, setText] = useState(words.value);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const counts = listed.value?.counts;
  const onInput = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void => {
    const { value } = currentTarget;
    setText(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      words.value = value;
    }, SETTLED_MS);
  };
  return (
    <div class="filters">
      <input
        type="search"
        aria-label="Search runs"
        placeholder="Id, graph or a given value"
        {...{ value: text, onInput }}
      />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a legend in view. */}
      <div class="chips" role="group" aria-label="Which runs" data-stop {...useOneStop()}>
        <Chip name={null} number={null}>
          All
        </Chip>
        {GROUPS.map((group) => {
          const number = counts === undefined ? null : numberIn(group, counts);
          if (number === 0 && group.name === "stopped") return null;
          return (
            <Chip key={group.name} name={group.name} number={number}>
              {group.title}
            </Chip>
          );
        })}
      </div>
    </div>
  );
}

interface ChipView {
  readonly name: string | null;
  readonly number: number | null;
  readonly children: string;
}

const Chip = ({ name, number, children }: ChipView) => (
  <button
    type="button"
    class={`chip ${name ?? ""}`}
    aria-pressed={chosenGroup.value === name}
    onClick={() => {
      chosenGroup.value = name;
    }}
  >
    {children}
    {number === null ? "" : ` ${number}`}
  </button>
);

/** What comes in on top does not move the chosen run out of its place. */
function useSteady(now: Listed): RefObject<HTMLDivElement | null> {
  const ref = useRef<HTMLDivElement>(null);
  const before = useRef<{ readonly id: string | null; readonly top: number } | null>(null);
  useLayoutEffect(() => {
    const row = ref.current?.querySelector<HTMLElement>('[aria-current="true"]');
    const [id, top] = [place.value.run, row?.offsetTop ?? 0];
    const last = before.current;
    if (row != null && last !== null && last.id === id && ref.current !== null)
      ref.current.scrollTop += top - last.top;
    before.current = row == null ? null : { id, top };
  }, [now, place.value.run]);
  return ref;
}

function Groups({ listed: now }: { readonly listed: Listed }) {
  const ref = useSteady(now);
  const groups = groupsShown().map((group) => ({ group, runs: runsIn(group, now) }));
  const isEmpty = groups.every(({ runs }) => runs.length === 0);
  return (
    <div class="groups" ref={ref}>
      {isEmpty ? <Nothing /> : null}
      {groups.map(({ group, runs }) =>
        runs.length === 0 ? null : <GroupOfRuns key={group.name} group={group} runs={runs} now={now} />,
      )}
    </div>
  );
}

function Nothing() {
  if (words.value.trim() !== "") return <p class="nothing">No run has these words.</p>;
  if (chosenGroup.value !== null) return <p class="nothing">There are none.</p>;
  return (
    <p class="nothing">
      No run yet. <a href={fragmentOf(listOf("sheets"))}>Open a sheet</a> and run it.
    </p>
  );
}

interface GroupView {
  readonly group: Group;
  readonly runs: readonly RunSummary[];
  readonly now: Listed;
}

function GroupOfRuns({ group, runs, now }: GroupView) {
  const cursor = now.cursors.get(group.name) ?? null;
  return (
    <>
      <h2 class="group-name">
        {group.title} <span class="quiet">{numberIn(group, now.counts)}</span>
      </h2>
      <ul data-stop {...useOneStop()}>
        {runs.map((run) => (
          <RunLine key={run.run_id} run={run} />
        ))}
      </ul>
      {cursor === null ? null : (
        <button type="button" class="more" onClick={() => void readMore(group)}>
          More
        </button>
      )}
    </>
  );
}

function RunLine({ run }: { readonly run: RunSummary }) {
  const { run_id: id, graph_name: graph, created_at, error } = run;
  const status = statusOf(run.status);
  return (
    <li>
      <a
        class="run-line"
        href={fragmentOf({ ...listOf("runs"), run: id })}
        aria-current={place.value.run === id ? "true" : undefined}
      >
        <span class={`sign ${status}`} />
        <span class="unseen">{WORDS[status]}: </span>
        <b>{oneLine(graph)}</b>
        <time class="when" dateTime={created_at}>
          {clock(Date.parse(created_at))}
        </time>
        {error !== null && status === "failed" ? (
          <ErrorLine error={error} />
        ) : (
          <span class="about quiet">
            {aboutOf(run)} · {id.slice(0, 8)}
          </span>
        )}
      </a>
    </li>
  );
}

/** Where it failed and why come before the code, which many have in common. */
const ErrorLine = ({ error: { node, message, code } }: { readonly error: RunError }) => (
  <span class="about why">
    {node === null ? null : <b>{oneLine(node)}: </b>}
    {oneLine(message || code)} <span class="quiet">{message === "" ? "" : code}</span>
  </span>
);

/** What is worth a look, in one line. */
function aboutOf(run: RunSummary): string {
  const { error, waiting, held, status } = run;
  const [began, took] = [timeOf(run.started_at ?? run.created_at) ?? 0, tookOf(run)];
  if (held !== null) return `held: ${manyLines(held)}`;
  if (error !== null && status !== "cancelled") return oneLine(error.message || error.code);
  if (status === "waiting") {
    const long = since(timeOf(run.suspended_at) ?? began);
    return `waits ${long} · ${oneLine(waiting.map(({ node }) => node).join(", "))}`;
  }
  if (took === null) return status === "queued" ? "waits for a worker" : `at work for ${since(began)}`;
  return `took ${working(took)}`;
}
