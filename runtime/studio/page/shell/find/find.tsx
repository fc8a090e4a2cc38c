import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { counted } from "../../counted.js";
import { focusGrid } from "../../sheet/grid-view.js";
import { oneLine } from "../../sheet/shown-text.js";
import { Dialog } from "../dialog.js";
import { findIsOpen } from "../whereabouts.js";
import { useFoundRuns } from "./runs.js";
import { type Findable, find } from "./sources.js";

const close = (): void => {
  findIsOpen.value = false;
};

/** Looks for a node, a graph, a sheet, a run or a command by what is typed. */
export function Find() {
  return (
    <Dialog label="Find" kind="find" closed={close}>
      <Finder />
    </Dialog>
  );
}

const STEPS: { readonly [key: string]: number } = { ArrowUp: -1, ArrowDown: 1 };

function Finder() {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const runs = useFoundRuns(text);
  const found = [...find(text), ...runs];
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (step !== undefined) setAt((at + step + found.length) % Math.max(1, found.length));
    else if (event.key === "Enter") choose(found[at]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        type="text"
        role="combobox"
        aria-label="Find a node, graph, sheet, run or command"
        placeholder="Find a node, graph, sheet, run or command"
        aria-expanded="true"
        aria-controls="found"
        aria-activedescendant={found.length === 0 ? undefined : `found-${at}`}
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div role="listbox" id="found" aria-label="Found" ref={list}>
        {found.map((one, i) => (
          <FoundLine key={i} found={one} id={`found-${i}`} isAt={i === at} />
        ))}
      </div>
      <output class="quiet">
        {found.length === 0 ? "Nothing has this name." : counted(found.length, "result")}
      </output>
    </>
  );
}

interface FoundView {
  readonly found: Findable;
  readonly id: string;
  readonly isAt: boolean;
}

function FoundLine({ found, id, isAt }: FoundView) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field keeps the focus and has the keys.
    <div role="option" id={id} aria-selected={isAt} onClick={() => choose(found)}>
      <span class="quiet kind">{found.kind}</span>
      <b>{oneLine(found.name)}</b>
      <span class="quiet about">{oneLine(found.about)}</span>
    </div>
  );
}

/** The focus goes to the grid, if there is one: what is chosen is chosen there. */
function choose(found: Findable | undefined): void {
  if (found === undefined) return;
  close();
  found.go();
  if (found.kind === "command" || found.kind === "run") return;
  focusGrid();
}
