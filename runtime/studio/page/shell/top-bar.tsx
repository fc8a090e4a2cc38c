import { chooseGraph } from "../choose.js";
import { counted } from "../counted.js";
import { SaveStateLine } from "../editing/save-state.js";
import { mayRunHere, pressRun } from "../run/press-run.js";
import { oneLine } from "../sheet/shown-text.js";
import { graph, isConnected, opened, place } from "../state.js";
import { changeTheme, theme } from "../theme.js";
import { Icon } from "./icon.js";
import { useOneStop } from "./use-one-stop.js";
import { findIsOpen } from "./whereabouts.js";

export function TopBar() {
  const { sheet } = place.value;
  return (
    <header class="top" data-stop {...useOneStop()}>
      <Icon name="flowsheet" />
      {sheet === null ? (
        <span class="file">Flowsheet Studio</span>
      ) : (
        <>
          <span class="file">{oneLine(sheet)}</span>
          <GraphChoice />
          <SaveStateLine />
        </>
      )}
      <span class="grow" />
      <output class="connection">{isConnected.value ? "" : "No connection, trying again"}</output>
      <button type="button" class="plain" aria-label="Find" onClick={openFind}>
        <Icon name="find" />
        <span class="word">Find</span>
      </button>
      <button
        type="button"
        class="plain"
        aria-label={theme.value === "dark" ? "Light colours" : "Dark colours"}
        onClick={changeTheme}
      >
        <Icon name={theme.value === "dark" ? "sun" : "moon"} />
      </button>
      {mayRunHere() ? (
        <button type="button" class="primary" onClick={pressRun}>
          <Icon name="play" />
          Run
        </button>
      ) : null}
    </header>
  );
}

const openFind = (): void => {
  findIsOpen.value = true;
};

function GraphChoice() {
  const graphs = opened.value?.graphs ?? [];
  const now = graph.value;
  if (now === null) return null;
  return (
    <>
      <span class="quiet file" aria-hidden="true">
        /
      </span>
      {graphs.length === 1 ? (
        <strong class="graph-name">{oneLine(now.name)}</strong>
      ) : (
        <select
          class="graph-name"
          aria-label="Graph"
          value={now.name}
          onChange={({ currentTarget }) => chooseGraph(currentTarget.value)}
        >
          {graphs.map(({ name }) => (
            <option key={name} value={name}>
              {oneLine(name)}
            </option>
          ))}
        </select>
      )}
      <span class="quiet nodes">{counted(now.nodes.length, "node")}</span>
    </>
  );
}
