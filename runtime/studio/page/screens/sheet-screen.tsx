import { Picture } from "../picture/picture.js";
import { ChosenCell } from "../sheet/chosen-cell.js";
import { Grid } from "../sheet/grid.js";
import { Drawer } from "../shell/drawer.js";
import { failure, opened, place } from "../state.js";

export function SheetScreen() {
  const sheet = opened.value;
  if (failure.value !== null) return <main class="message">{failure.value}</main>;
  if (sheet === null || sheet.name !== place.value.sheet)
    return <main class="message">Opening {place.value.sheet}.</main>;
  return (
    <main class="sheet-screen">
      <h1 class="unseen">{sheet.name}</h1>
      <section class="table" aria-label="Rows">
        {sheet.columns.length === 0 ? (
          <p class="nothing">This file cannot be read as a sheet. The problems below say why.</p>
        ) : (
          <Grid sheet={sheet} />
        )}
        <ChosenCell />
      </section>
      <section class="picture" aria-label="Picture">
        <Picture />
      </section>
      <Drawer />
    </main>
  );
}
