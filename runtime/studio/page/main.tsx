import { render } from "preact";
import { chooseProblem } from "./choose.js";
import { begin, keepDrawing } from "./load.js";
import { KeyScreen } from "./screens/key-screen.js";
import { SheetScreen } from "./screens/sheet-screen.js";
import { SheetsScreen } from "./screens/sheets-screen.js";
import { TopBar } from "./screens/top-bar.js";
import { entry, place } from "./state.js";

function Page() {
  if (entry.value === "starting") return null;
  if (entry.value === "asked") return <KeyScreen />;
  return (
    <>
      <TopBar />
      {place.value.sheet === null ? <SheetsScreen /> : <SheetScreen />}
    </>
  );
}

addEventListener("keydown", (event) => {
  if (event.key !== "F8") return;
  event.preventDefault();
  chooseProblem(event.shiftKey ? -1 : 1);
});

const host = document.getElementById("page");
if (host !== null) render(<Page />, host);
keepDrawing();
void begin();
