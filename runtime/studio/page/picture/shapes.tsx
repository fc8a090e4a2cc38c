import type { Box, Label, Shape, TextLine, Way } from "../../../draw/svg/geometry.js";
import { isWidthKnown, textWidth } from "../../../draw/svg/text-width.js";
import type { NodeOfGraph } from "../engine/messages.js";
import type { Mark } from "../run/run-state.js";

const place = ({ x, y, width, height }: Box) => ({ x: x - width / 2, y: y - height / 2, width, height });

const kindOf = ({ edge, silent, heading }: Way): string => {
  const on = edge === null || edge.on === "case" || edge.on === "otherwise" ? "next" : edge.on;
  return `${on}${silent ? " silent" : ""}${heading === "up" ? " back" : ""}`;
};

interface WayView {
  readonly way: Way;
  readonly isTaken: boolean;
  /** No test case took it. */
  readonly isUntested: boolean;
}

/** A way with its arrow. Its label stands above all ways. */
export function WayLine({ way, isTaken, isUntested }: WayView) {
  const path = way.steps.map(({ to, control }) => {
    if (control === null) return `L${to.x},${to.y}`;
    const [one, other] = control;
    return `C${one.x},${one.y} ${other.x},${other.y} ${to.x},${to.y}`;
  });
  return (
    <g class={`way ${kindOf(way)}${isTaken ? " taken" : ""}${isUntested ? " untested" : ""}`}>
      <path d={`M${way.start.x},${way.start.y}${path.join("")}`} />
      {way.toBar ? null : <path class="arrow" d={arrowOf(way)} />}
    </g>
  );
}

/** The direction from the tip of an arrow to its base. */
const BACKWARD = { down: { x: 0, y: -1 }, up: { x: 0, y: 1 }, left: { x: 1, y: 0 } } as const;

function arrowOf({ steps, start, heading }: Way): string {
  const tip = steps.at(-1)?.to ?? start;
  const { x, y } = BACKWARD[heading];
  const base = { x: tip.x + 9 * x, y: tip.y + 9 * y };
  const [dx, dy] = [4.5 * y, 4.5 * x];
  return `M${tip.x},${tip.y}L${base.x + dx},${base.y + dy}L${base.x - dx},${base.y - dy}Z`;
}

export function WayLabel({ way, label }: { readonly way: Way; readonly label: Label }) {
  return (
    <g class={`way-label ${kindOf(way)}`}>
      <rect {...place(label.box)} rx={4} />
      <Lines lines={[label.line]} box={label.box} />
    </g>
  );
}

/** Text that may be wider than its box is cut off there. */
function Lines({ lines, box }: { readonly lines: readonly TextLine[]; readonly box: Box }) {
  const texts = lines.map(({ role, text, x, y, centred }, i) => (
    <text key={i} class={role} x={x} y={y} text-anchor={centred ? "middle" : "start"}>
      {text}
    </text>
  ));
  if (lines.every(({ text }) => isWidthKnown(text))) return <>{texts}</>;
  const at = place(box);
  return (
    <svg aria-hidden="true" {...at} viewBox={`${at.x} ${at.y} ${at.width} ${at.height}`}>
      {texts}
    </svg>
  );
}

export interface NodeView {
  readonly shape: Shape;
  readonly node: NodeOfGraph;
  readonly isWrong: boolean;
  /** No test case came to it. */
  readonly isUntested: boolean;
  /** What the run has made of it. */
  readonly mark: Mark | null;
  /** Only its name can be read, and has the whole box. */
  readonly isSmall: boolean;
}

export function NodeBox({ shape, node, isWrong, isUntested, mark, isSmall }: NodeView) {
  const { box, lines } = shape;
  const at = place(box);
  const kind = `${node.family}${isWrong ? " wrong" : ""}${node.isReachable ? "" : " dead"}${isUntested ? " untested" : ""}`;
  const sign = mark ?? (isWrong ? "wrong" : null);
  return (
    <g class={`node ${kind}`} data-node={node.record} data-mark={mark}>
      <rect class="box" {...at} rx={6} />
      <path class="strip" d={`M${at.x + 6},${at.y}a6,6 0 0 0 -6,6v${at.height - 12}a6,6 0 0 0 6,6z`} />
      {isSmall ? <LargeName lines={lines} box={box} /> : <Lines lines={lines} box={box} />}
      {sign === null ? null : (
        <g class={`node-sign ${sign}`} transform={`translate(${at.x + at.width - 4} ${at.y + 4})`}>
          <circle r={9} />
          <path d={NODE_SIGNS[sign]} />
        </g>
      )}
    </g>
  );
}

const NAME = { size: 14, bold: true } as const;
const MOST = 2;
const MOST_OF_TWO = 1.5;
/** Space left and right of a name, in units of the drawing. */
const ASIDE = 24;

/** The name alone, as large as its box allows. */
function LargeName({ lines, box }: { readonly lines: readonly TextLine[]; readonly box: Box }) {
  const names = lines.filter(({ role }) => role === "name");
  // Only what has a known width can be made as large as its box.
  if (!names.every(({ text }) => isWidthKnown(text))) return <Lines lines={names} box={box} />;
  const widest = Math.max(1, ...names.map(({ text }) => textWidth(text, NAME)));
  const most = names.length > 1 ? MOST_OF_TWO : MOST;
  const grown = Math.max(1, Math.min(most, (box.width - ASIDE) / widest));
  const lineHeight = 1.2 * NAME.size * grown;
  return names.map(({ text, x }, i) => {
    const y = box.y + 0.36 * NAME.size * grown + (i - (names.length - 1) / 2) * lineHeight;
    return (
      <text key={i} class="name" transform={`translate(${x} ${y}) scale(${grown})`}>
        {text}
      </text>
    );
  });
}

/** Signs on a corner of a box: a tick, a cross, two bars, a dot. */
const NODE_SIGNS: { readonly [M in Mark | "wrong"]: string } = {
  done: "M-4.5,0.2L-1.5,3.2L4.5,-3.2",
  failed: "M-3.5,-3.5L3.5,3.5M3.5,-3.5L-3.5,3.5",
  waits: "M-2.2,-3.5V3.5M2.2,-3.5V3.5",
  running: "M-0.1,0H0.1",
  wrong: "M0,-4V0.6M0,3.9V4",
};

/** Stands around the chosen node. */
export function Halo({ box }: { readonly box: Box }) {
  const { x, y, width, height } = place(box);
  return <rect class="halo" x={x - 5} y={y - 5} width={width + 10} height={height + 10} rx={10} />;
}

export function Sign({ shape }: { readonly shape: Shape }) {
  const { kind, box, lines } = shape;
  if (kind === "start") return <circle class="sign" cx={box.x} cy={box.y} r={box.width / 2 - 1} />;
  if (kind !== "end") return <rect class="sign" {...place(box)} rx={3} />;
  return (
    <g class="end-sign">
      <rect {...place(box)} rx={box.height / 2} />
      <Lines lines={lines} box={box} />
    </g>
  );
}
