import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { commitCell } from "../editing/commit.js";
import {
  closeEditor,
  judgeCell,
  judged,
  mentions,
  type OpenEditor,
  openEditor,
  renamesOthers,
} from "../editing/open-editor.js";
import { withPlainEnds } from "../editing/text/line-ends.js";
import type { Problem } from "../engine/messages.js";
import { chordOf } from "../shell/chord.js";
import { type Offer, Offers, offersOf } from "./offers.js";
import { placeBeneath } from "./place-beneath.js";

/** Where the cursor goes when a cell is kept. */
export type Onward = "down" | "up" | "right" | "left" | "stay";

interface EditorView {
  readonly editor: OpenEditor;
  /** What is written, such as `Next of Ask`. */
  readonly name: string;
  readonly box: { readonly top: number; readonly left: number; readonly width: number };
  readonly onward: (where: Onward) => void;
}

/** The field over a cell. Enter, Tab and leaving it keep what was typed; Esc takes it back. */
export function CellEditor({ editor, name, box, onward }: EditorView) {
  const field = useRef<HTMLTextAreaElement>(null);
  const beneath = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(-1);
  const [isListed, setListed] = useState(editor.first === "" && editor.before === "");
  const step = useRef<string | null>(null);
  const offers = isListed ? offersOf(field.current?.value ?? editor.first) : [];
  const chosenOffer = offers[at];

  useLayoutEffect(() => {
    const { current } = field;
    if (current === null) return;
    current.value = withPlainEnds(editor.first);
    current.focus({ preventScroll: true });
    if (editor.isSelected) current.select();
    else current.setSelectionRange(current.value.length, current.value.length);
    judge();
  }, [editor]);

  const place = (): void => {
    if (field.current !== null && beneath.current !== null) placeBeneath(field.current, beneath.current);
  };
  useLayoutEffect(place);
  useEffect(() => {
    addEventListener("scroll", place, true);
    addEventListener("resize", place);
    return () => {
      removeEventListener("scroll", place, true);
      removeEventListener("resize", place);
    };
  }, []);

  const judge = (): void => {
    const { current } = field;
    if (current !== null) judgeCell(editor, current.value, current.selectionStart);
  };
  const write = (text: string, caret: number): void => {
    const { current } = field;
    if (current === null) return;
    current.value = withPlainEnds(text);
    current.setSelectionRange(caret, caret);
    setAt(-1);
    judge();
  };
  const takeOffer = ({ text, caret, step: made }: Offer): void => {
    step.current = made ?? null;
    write(text, withPlainEnds(text.slice(0, caret)).length);
    setListed(false);
  };
  const keep = (where: Onward): boolean => {
    const isKept = commitCell(editor, field.current?.value ?? "", step.current);
    if (isKept) onward(where);
    return isKept;
  };
  const mendIt = (): void => {
    const [fix] = judged.value.fixes;
    if (fix !== undefined) write(fix.text, fix.text.length);
    else if (mentions.value > 0) renamesOthers.value = !renamesOthers.value;
  };
  const breakLine = (): void => {
    field.current?.setRangeText("\n", field.current.selectionStart, field.current.selectionEnd, "end");
    judge();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // What is composed is no key of ours: Enter there takes a word.
    const isComposed = event.isComposing || event.key === "Process";
    // The key that runs the graph means it with what was typed: it goes further only when that is kept.
    const isRun = chordOf(event) === "Ctrl+Enter" && !isComposed;
    if (isRun && keep("stay")) return;
    event.stopPropagation();
    if (isRun || isComposed) return;
    const act = actionFor(event);
    if (act === null) return;
    event.preventDefault();
    act();
  };
  const actionFor = ({ key, altKey, shiftKey, ctrlKey, metaKey }: KeyboardEvent): (() => void) | null => {
    const isCtrl = ctrlKey || metaKey;
    const isOneLine = !(field.current?.value.includes("\n") ?? false);
    const walk = (by: number) => () => {
      setListed(true);
      setAt(Math.max(-1, Math.min(offers.length - 1, at + by)));
    };
    switch (key) {
      case "Enter":
        if (altKey) return breakLine;
        return chosenOffer === undefined
          ? () => keep(shiftKey ? "up" : "down")
          : () => takeOffer(chosenOffer);
      case "Tab":
        return () => {
          if (chosenOffer !== undefined) takeOffer(chosenOffer);
          keep(shiftKey ? "left" : "right");
        };
      case "Escape":
        return isListed && offers.length > 0
          ? () => setListed(false)
          : () => {
              closeEditor();
              editor.reverted?.();
              onward("stay");
            };
      case "ArrowDown":
        return isOneLine || offers.length > 0 ? walk(1) : null;
      case "ArrowUp":
        return offers.length > 0 ? walk(-1) : null;
      case ".":
        return isCtrl ? mendIt : null;
      case " ":
        return isCtrl ? () => setListed(true) : null;
      default:
        return null;
    }
  };
  const problem = problemNow(offers);
  return (
    <div class="editor" style={{ top: `${box.top}px`, left: `${box.left}px` }}>
      <textarea
        ref={field}
        rows={1}
        aria-label={name}
        aria-autocomplete="list"
        aria-controls={offers.length > 0 ? "offers" : undefined}
        aria-activedescendant={chosenOffer === undefined ? undefined : `offer-${at}`}
        aria-describedby="judged"
        spellcheck={false}
        style={{ minWidth: `${box.width}px` }}
        onInput={() => {
          step.current = null;
          setAt(-1);
          setListed(true);
          judge();
        }}
        onKeyDown={onKeyDown}
        onBlur={({ currentTarget }) => {
          // A field that is taken out of the page loses the focus, too.
          if (openEditor.value === editor) commitCell(editor, currentTarget.value, step.current);
        }}
      />
      <div class="beneath" ref={beneath}>
        {mentions.value > 0 ? <RenameChoice /> : null}
        <output id="judged" class={problem === undefined ? "" : `judged ${problem.severity}`}>
          {problem === undefined ? null : (
            <>
              {problem.message}. <span class="quiet">{problem.label ?? problem.help}</span>
              {judged.value.fixes.length > 0 ? <kbd>Ctrl+.</kbd> : null}
            </>
          )}
        </output>
        {offers.length > 0 ? <Offers offers={offers} at={at} take={takeOffer} /> : null}
      </div>
    </div>
  );
}

/** What is wrong with the text; nothing of a word that is still being written, or of a name that others follow. */
function problemNow(offers: readonly Offer[]): Problem | undefined {
  const { problems } = judged.value;
  const error = problems.find(({ severity }) => severity === "error");
  if (offers.some(({ step }) => step === undefined)) return undefined;
  return error ?? (mentions.value > 0 && renamesOthers.value ? undefined : problems[0]);
}

function RenameChoice() {
  const cells =
    mentions.value === 1 ? "the other cell that names it" : `the ${mentions.value} cells that name it`;
  return (
    // The field keeps the focus.
    <label class="rename" onPointerDown={(event) => event.preventDefault()}>
      <input
        type="checkbox"
        tabIndex={-1}
        checked={renamesOthers.value}
        onClick={() => {
          renamesOthers.value = !renamesOthers.value;
        }}
      />
      and {cells} <kbd>Ctrl+.</kbd>
    </label>
  );
}
