import type { Shape } from "../../../draw/svg/geometry.js";
import type { GraphOfSheet } from "../engine/messages.js";
import { problemsByRecord } from "../state.js";
import { NodeBox, Sign } from "./shapes.js";

interface ShapesView {
  readonly graph: GraphOfSheet;
  readonly shapes: readonly Shape[];
  readonly chosen: number;
}

export function NodeShapes({ graph, shapes, chosen }: ShapesView) {
  return (
    <>
      {shapes.map((shape, i) => {
        const node = shape.kind === "node" ? graph.nodes[shape.node] : undefined;
        if (node === undefined) return <Sign key={i} shape={shape} />;
        const problems = problemsByRecord.value.get(node.record) ?? [];
        const isWrong = problems.some(({ severity }) => severity === "error");
        return <NodeBox key={i} {...{ shape, node, isWrong }} isChosen={shape.node === chosen} />;
      })}
    </>
  );
}
