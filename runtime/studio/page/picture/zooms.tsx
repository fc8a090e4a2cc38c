import type { Looking } from "./looking.js";

export function Zooms({ looking }: { readonly looking: Looking }) {
  return (
    <div class="zooms">
      <button type="button" class="plain" aria-label="Zoom in" onClick={() => looking.zoom(1)}>
        +
      </button>
      <button type="button" class="plain" aria-label="Zoom out" onClick={() => looking.zoom(-1)}>
        −
      </button>
      <button type="button" class="plain" aria-label="Fit the whole graph" onClick={() => looking.showAll()}>
        Fit
      </button>
    </div>
  );
}
