import { drawn, graph, opened } from "../state.js";
import { DrawingView } from "./drawing-view.js";

/** The graph as a picture. What it shows stands in the grid, too, which is its text. */
export function Picture() {
  const [now, shown] = [graph.value, drawn.value];
  if (now === null)
    return opened.value?.isUnderstood === false ? null : (
      <div class="no-node">
        <p>first step</p>
      </div>
    );
  if (shown === null) return null;
  return <DrawingView key={shown.graph.name} drawn={shown} isOld={shown.graph !== now} />;
}
