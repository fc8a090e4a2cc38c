import { problemCount } from "../sheet/problems.js";
import { type DrawerTab, showTab, tabNow, tabsThere } from "./drawer-tabs.js";
import { useKeptFocus } from "./kept-focus.js";
import { Splitter } from "./splitter.js";
import { DRAWER_HEIGHTS, drawerHeight, drawerIsShown } from "./whereabouts.js";

/** Below the rows: what is done with the graph, one tab for each. */
export function Drawer() {
  const now = tabNow();
  if (now === undefined || !drawerIsShown.value) return null;
  return (
    <section class="drawer" aria-label="Drawer" style={{ "--drawer": `${drawerHeight.value}px` }}>
      <Splitter
        name="Height of the drawer"
        lies="horizontal"
        value={drawerHeight}
        {...DRAWER_HEIGHTS}
        step={-24}
        valueAt={({ clientY }, { bottom }) => bottom - clientY}
      />
      <h2 class="unseen">{now.title}</h2>
      <div class="drawer-head" data-stop>
        <Tabs now={now} />
        <output>
          {/* No Tab stop of its own: the tab that it leads to is one. */}
          <button type="button" class="plain quiet" tabIndex={-1} onClick={() => showTab("problems")}>
            {problemCount()}
          </button>
        </output>
      </div>
      <Panel now={now} />
    </section>
  );
}

/** What the tab shows. */
function Panel({ now }: { readonly now: DrawerTab }) {
  const ref = useKeptFocus<HTMLDivElement>();
  return (
    <div
      class="drawer-body"
      data-stop
      role="tabpanel"
      id="drawer-panel"
      aria-labelledby={`tab-${now.name}`}
      tabIndex={-1}
      ref={ref}
    >
      <now.View />
    </div>
  );
}

const STEPS: { readonly [key: string]: number } = { ArrowLeft: -1, ArrowRight: 1 };

function Tabs({ now }: { readonly now: DrawerTab }) {
  const tabs = tabsThere();
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    const next = tabs[(tabs.indexOf(now) + (step ?? 0) + tabs.length) % tabs.length];
    if (step === undefined || next === undefined) return;
    event.preventDefault();
    showTab(next.name);
    document.getElementById(`tab-${next.name}`)?.focus();
  };
  return (
    <div role="tablist" class="tabs" aria-label="Drawer" onKeyDown={onKeyDown}>
      {tabs.map(({ name, title, badge }) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`tab-${name}`}
          aria-selected={name === now.name}
          aria-controls="drawer-panel"
          tabIndex={name === now.name ? 0 : -1}
          onClick={() => showTab(name)}
        >
          {title}
          {badge() === 0 ? null : (
            <span class="badge" aria-hidden="true">
              {badge()}
            </span>
          )}
        </button>
      ))}
    </div>
  );
}
