import { fragmentOf, LIST } from "../address.js";
import type { SheetSummary } from "../connection/requests.js";
import { counted } from "../counted.js";
import { oneLine } from "../sheet/shown-text.js";
import { later } from "../shell/later.js";
import { Skeleton } from "../shell/skeleton.js";
import { session, sheets } from "../state.js";

const FirstSheet = later("FirstSheet");

/** Where each edit is saved by itself, a new sheet is, too. */
const mayMake = (): boolean => session.value?.can.includes("write") === true && session.value.save === "each";

export function SheetsScreen() {
  const list = sheets.value;
  return (
    <main class="list">
      <h1>Sheets</h1>
      {list === null ? <Skeleton says="Looking for sheets" /> : null}
      {list?.length === 0 ? (
        <p class="nothing">
          There is no sheet here. Put a CSV file with nodes into the folder; it appears by itself.
        </p>
      ) : null}
      <ul>
        {list?.map((sheet) => (
          <SheetLine key={sheet.name} sheet={sheet} />
        ))}
      </ul>
      {list !== null && mayMake() ? <FirstSheet /> : null}
    </main>
  );
}

function SheetLine({ sheet }: { readonly sheet: SheetSummary }) {
  const { name, graphs, errors, warnings } = sheet;
  const about = graphs.map((graph) => `${oneLine(graph.name)} (${counted(graph.nodes, "node")})`).join(", ");
  return (
    <li>
      <a href={fragmentOf({ ...LIST, sheet: name })}>
        <b>{oneLine(name)}</b>
        <span class="quiet">{about}</span>
        {errors > 0 ? <span class="said error">{counted(errors, "error")}</span> : null}
        {warnings > 0 ? <span class="said warning">{counted(warnings, "warning")}</span> : null}
      </a>
    </li>
  );
}
