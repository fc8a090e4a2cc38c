import { listOf } from "../address.js";
import { goTo } from "../choose.js";
import { useKeptFocus } from "../shell/kept-focus.js";
import { place } from "../state.js";
import { RunView } from "./run-view.js";
import { RunsList } from "./runs-list.js";
import { keepListing } from "./runs-state.js";
import { keepShowing } from "./shown-run.js";

keepListing();
keepShowing();

/** The runs that are kept, and one of them beside the list. */
export function RunsScreen() {
  const { run } = place.value;
  return (
    <main class={`runs-screen${run === null ? "" : " one"}`}>
      <h1 class="unseen">Runs</h1>
      <RunsList />
      {run === null ? <p class="nothing no-run">Choose a run to see what it did.</p> : <OneRun />}
    </main>
  );
}

function OneRun() {
  const ref = useKeptFocus<HTMLElement>();
  return (
    <section class="run-view" aria-label="Run" tabIndex={-1} ref={ref}>
      <button type="button" class="plain all-runs" onClick={() => goTo(listOf("runs"))}>
        All runs
      </button>
      <RunView />
    </section>
  );
}
