import { signal } from "@preact/signals";
import { RunPanel } from "../run/run-panel.js";
import { Problems, problemCount } from "../sheet/problems.js";
import { problemList, session } from "../state.js";

type Tab = "run" | "problems";
const TABS: readonly Tab[] = ["run", "problems"];
/** Null until a person chooses: problems first where there are some. */
const chosenTab = signal<Tab | null>(null);

/** Below the rows: the run, and the problems. Who may not run anything sees the problems. */
export function Drawer() {
  const mayRun = session.value?.can.includes("execute") === true;
  const tabs = mayRun ? TABS : TABS.slice(1);
  const first: Tab = mayRun && problemList.value.length === 0 ? "run" : "problems";
  const now = mayRun ? (chosenTab.value ?? first) : "problems";
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    const next = tabs.find((tab) => tab !== now) ?? now;
    chosenTab.value = next;
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <section class="drawer" aria-label="Run and problems">
      <h2 class="unseen">Run and problems</h2>
      <div class="drawer-head">
        <div role="tablist" class="tabs" aria-label="Run and problems" onKeyDown={onKeyDown}>
          {tabs.map((tab) => (
            <button
              key={tab}
              type="button"
              role="tab"
              id={`tab-${tab}`}
              aria-selected={tab === now}
              aria-controls="drawer-panel"
              tabIndex={tab === now ? 0 : -1}
              onClick={() => {
                chosenTab.value = tab;
              }}
            >
              {tab === "run" ? "Run" : "Problems"}
            </button>
          ))}
        </div>
        <output class="quiet">{problemCount()}</output>
      </div>
      <div class="drawer-body" role="tabpanel" id="drawer-panel" aria-labelledby={`tab-${now}`}>
        {now === "run" ? <RunPanel /> : <Problems />}
      </div>
    </section>
  );
}
