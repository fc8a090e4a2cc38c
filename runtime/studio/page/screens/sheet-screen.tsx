import { Picture } from "../picture/picture.js";
import { isNarrow, RowList } from "../row/row-list.js";
import { rowPanelIsOpen } from "../row/row-panel-state.js";
import { ChosenCell } from "../sheet/chosen-cell.js";
import { Grid } from "../sheet/grid.js";
import { Menu } from "../sheet/menu.js";
import { Drawer } from "../shell/drawer.js";
import { later } from "../shell/later.js";
import { Skeleton } from "../shell/skeleton.js";
import { Splitter } from "../shell/splitter.js";
import { ROWS_SHARES, rowsShare } from "../shell/whereabouts.js";
import { failure, type Opened, opened, place } from "../state.js";

const RowPanel = later("RowPanel");

export function SheetScreen() {
  const sheet = opened.value;
  if (failure.value !== null) return <main class="message">{failure.value}</main>;
  if (sheet === null || sheet.name !== place.value.sheet)
    return (
      <main class="message">
        <Skeleton says={`Opening ${place.value.sheet}`} />
      </main>
    );
  return (
    <main class="sheet-screen" style={{ "--rows": `${rowsShare.value}%` }}>
      <h1 class="unseen">{sheet.name}</h1>
      <section class="table" aria-label="Rows" data-stop>
        {sheet.columns.length === 0 ? (
          <p class="nothing">This file cannot be read as a sheet. The problems below say why.</p>
        ) : (
          <Rows sheet={sheet} />
        )}
        {isNarrow.value ? null : <ChosenCell />}
      </section>
      <Splitter
        name="Width of the rows"
        lies="vertical"
        value={rowsShare}
        {...ROWS_SHARES}
        step={2}
        valueAt={({ clientX }, { left, width }) => (100 * (clientX - left)) / width}
      />
      <section class="picture" aria-label="Picture" data-stop>
        <Picture />
      </section>
      {rowPanelIsOpen.value ? <RowPanel /> : null}
      <Menu />
      <Drawer />
    </main>
  );
}

const Rows = ({ sheet }: { readonly sheet: Opened }) =>
  isNarrow.value ? <RowList /> : <Grid sheet={sheet} />;
