import { useLayoutEffect, useRef } from "preact/hooks";
import { judged } from "../editing/open-editor.js";
import type { Offered } from "../engine/messages.js";
import { oneLine } from "./shown-text.js";

/** An offer, or a step that is made when it is taken. */
export type Offer = Offered & { readonly step?: string };

/** What may be written, and behind it a new step where the text names one that is not there. */
export function offersOf(text: string): readonly Offer[] {
  const { offers, problems } = judged.value;
  const unknown = problems.find(({ code }) => code === "unknown-node")?.span;
  const name = unknown === null || unknown === undefined ? "" : text.slice(unknown.start, unknown.end).trim();
  if (name === "" || name.includes("\n")) return offers;
  const step: Offer = {
    ...{
      label: `new step ${name}`,
      kind: "node",
      detail: "a row below",
      text,
      caret: text.length,
      step: name,
    },
  };
  return [...offers, step];
}

interface OffersView {
  readonly offers: readonly Offer[];
  /** The one that is selected; -1 for none. */
  readonly at: number;
  readonly take: (offer: Offer) => void;
}

export function Offers({ offers, at, take }: OffersView) {
  const host = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    host.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [at]);
  return (
    <div role="listbox" id="offers" class="offers" aria-label="What may be written" ref={host}>
      {offers.map((offer, i) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and the keys.
        <div
          key={`${offer.kind} ${offer.label}`}
          role="option"
          id={`offer-${i}`}
          class="offer"
          aria-selected={i === at}
          tabIndex={-1}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => take(offer)}
        >
          <span class="offer-label">{oneLine(offer.label)}</span>
          <span class="quiet">{oneLine(offer.detail)}</span>
        </div>
      ))}
    </div>
  );
}
