import { render } from "preact";
import { reviewIsOpen } from "./editing/review/review-state.js";
import { begin, keepDrawing } from "./load.js";
import { screenNow } from "./screens/screens.js";
import { KeyTable } from "./shell/key-table.js";
import { KEYS, listenToKeys } from "./shell/keys.js";
import { later, loadParts } from "./shell/later.js";
import { Rail } from "./shell/rail.js";
import { TopBar } from "./shell/top-bar.js";
import { findIsOpen } from "./shell/whereabouts.js";
import { entry } from "./state.js";

function Page() {
  if (entry.value === "starting") return null;
  if (entry.value === "waiting")
    return (
      <main class="key">
        <h1>Flowsheet Studio</h1>
        <p>The server does not answer. It is tried again until it does.</p>
      </main>
    );
  if (entry.value === "asked") return <KeyScreen />;
  const { View } = screenNow();
  return (
    <>
      <TopBar />
      <div class="middle">
        <Rail />
        <View />
      </div>
      {findIsOpen.value ? <Find /> : null}
      {reviewIsOpen.value ? <Review /> : null}
      <KeyTable groups={KEYS} />
    </>
  );
}

const Find = later("Find");
const KeyScreen = later("KeyScreen");
const Review = later("Review");

/** The sheet comes first. */
const PARTS_AFTER_MS = 1_000;

listenToKeys();
const host = document.getElementById("page");
if (host !== null) render(<Page />, host);
keepDrawing();
void begin().then(() => setTimeout(() => void loadParts(), PARTS_AFTER_MS));
