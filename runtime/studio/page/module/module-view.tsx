import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { chooseNode } from "../choose.js";
import { manyLines, oneLine } from "../sheet/shown-text.js";
import { chosen, graph, opened, session } from "../state.js";
import {
  compileSheet,
  type Line,
  loadModule,
  report,
  type ShownModule,
  shownModule,
} from "./module-state.js";

/** The module that the graph becomes. Its lines and the rows of the sheet are chosen together. */
export function ModuleView() {
  const { name, etag } = opened.value ?? {};
  const now = graph.value?.name;
  useEffect(() => {
    report.value = null;
    void loadModule();
  }, [name, etag, now]);
  const shown = shownModule.value;
  if (shown === null || shown.sheet !== name || shown.graph !== now)
    return <p class="nothing">Reading the module.</p>;
  if (shown.lines.length === 0)
    return <p class="nothing">{shown.said === "" ? "There is no graph to compile yet." : shown.said}</p>;
  return (
    <div class="module">
      <Head shown={shown} />
      {report.value === null ? null : <pre class="report">{manyLines(report.value)}</pre>}
      <Code key={`${name} ${now}`} lines={shown.lines} />
    </div>
  );
}

function Head({ shown: { file, isStale, isWritten } }: { readonly shown: ShownModule }) {
  const [isBusy, setBusy] = useState(false);
  const mayWrite = session.value?.can.includes("write") === true;
  const compile = async (): Promise<void> => {
    setBusy(true);
    await compileSheet();
    setBusy(false);
  };
  return (
    <p class="run-head">
      <code>{oneLine(file)}</code>
      <output class={isStale && isWritten ? "said warning" : "quiet"}>
        {isStale ? staleWords(isWritten, mayWrite) : "✓ The file is up to date"}
      </output>
      <span class="grow" />
      {mayWrite ? (
        <button type="button" disabled={isBusy} onClick={() => void compile()}>
          Compile
        </button>
      ) : null}
    </p>
  );
}

function staleWords(isWritten: boolean, mayWrite: boolean): string {
  if (isWritten) return "! The file is not as the sheet is now";
  const how = mayWrite ? "Compile writes it" : "flowsheet compile writes it";
  return `There is no such file yet. ${how}, and below is what it will hold`;
}

const LINE_HEIGHT = 18;
/** Lines above and below what is in view. */
const SPARE = 10;

/** Only the lines in view are in the page. */
function Code({ lines }: { readonly lines: readonly Line[] }) {
  const host = useRef<HTMLDivElement>(null);
  const [{ first, count }, setView] = useState({ first: 0, count: 40 });
  const record = chosen.value?.record ?? null;
  const [at, setAt] = useState(0);

  const look = (): void => {
    const { scrollTop = 0, clientHeight = 0 } = host.current ?? {};
    const next = Math.max(0, Math.floor(scrollTop / LINE_HEIGHT) - SPARE);
    const fits = Math.ceil(clientHeight / LINE_HEIGHT) + 2 * SPARE;
    if (next !== first || fits !== count) setView({ first: next, count: fits });
  };
  useLayoutEffect(() => {
    // The line that was pressed is of the row already.
    if (lines[at]?.record !== record) setAt(beginOf(lines, record) ?? at);
  }, [record, lines]);
  useLayoutEffect(() => {
    if (host.current !== null) bringIntoView(host.current, at);
    look();
  }, [at, lines]);
  useLayoutEffect(() => {
    const watch = new ResizeObserver(look);
    if (host.current !== null) watch.observe(host.current);
    return () => watch.disconnect();
  });

  const choose = (line: number): void => {
    setAt(line);
    const of = lines[line]?.record ?? null;
    if (of !== null) chooseNode(of);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    choose(Math.max(0, Math.min(lines.length - 1, at + step)));
  };
  const onClick = ({ target }: MouseEvent): void => {
    const line = (target as Element).closest<HTMLElement>("[data-line]");
    if (line !== null) choose(Number(line.dataset["line"]));
  };
  const shown = lines.slice(first, first + count).map((line, i) => ({ line, index: first + i }));
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: no field set. */}
      <div
        class="code"
        role="group"
        aria-label="Module: arrows go from line to line"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is walked by keys.
        tabIndex={0}
        ref={host}
        onScroll={look}
        {...{ onKeyDown, onClick }}
      >
        <div class="code-body" style={{ height: `${lines.length * LINE_HEIGHT}px` }}>
          {shown.map(({ line, index }) => (
            <CodeLine
              key={index}
              line={line}
              index={index}
              isChosen={record !== null && line.record === record}
              isAt={index === at}
            />
          ))}
        </div>
      </div>
      <output class="unseen">{saidOf(lines[at], at)}</output>
    </>
  );
}

const STEPS: { readonly [key: string]: number } = { ArrowUp: -1, ArrowDown: 1, PageUp: -12, PageDown: 12 };

/** The longest stretch of lines of a record is the node itself; others are its types and its ways. */
function beginOf(lines: readonly Line[], record: number | null): number | null {
  if (record === null) return null;
  let best: { readonly at: number; readonly length: number } | null = null;
  for (let at = 0; at < lines.length; at++) {
    let length = 0;
    while (lines[at + length]?.record === record) length++;
    if (length > (best?.length ?? 0)) best = { at, length };
    at += length;
  }
  return best?.at ?? null;
}

function bringIntoView(host: HTMLElement, line: number): void {
  const top = line * LINE_HEIGHT;
  if (top < host.scrollTop) host.scrollTop = top;
  else if (top + 4 * LINE_HEIGHT > host.scrollTop + host.clientHeight)
    host.scrollTop = top + 4 * LINE_HEIGHT - host.clientHeight;
}

function saidOf(line: Line | undefined, index: number): string {
  const node = graph.value?.nodes.find(({ record }) => record === line?.record)?.name;
  const text = line?.stretches.map((stretch) => stretch.text).join("") ?? "";
  return `Line ${index + 1}${node === undefined ? "" : `, ${node}`}: ${text.trim()}`;
}

interface LineView {
  readonly line: Line;
  readonly index: number;
  /** It is made from the chosen row. */
  readonly isChosen: boolean;
  readonly isAt: boolean;
}

const CodeLine = ({ line, index, isChosen, isAt }: LineView) => (
  <div
    class={`code-line${isChosen ? " chosen" : ""}${isAt ? " at" : ""}${line.record === null ? "" : " of-row"}`}
    data-line={index}
    style={{ top: `${index * LINE_HEIGHT}px` }}
  >
    <span class="code-number" aria-hidden="true">
      {index + 1}
    </span>
    {line.stretches.map(({ text, is }, i) => (
      <span key={i} class={is === "" ? undefined : `token-${is}`}>
        {text}
      </span>
    ))}
  </div>
);
