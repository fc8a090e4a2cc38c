import { useState } from "preact/hooks";
import { enterWith } from "../load.js";

/** Asks for what lets the page in. Nothing else is shown before. */
export function KeyScreen() {
  const [said, say] = useState("");
  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem("key") as HTMLInputElement;
    const text = field.value.trim();
    if (text !== "" && !(await enterWith(text))) say("The server does not take this key or token.");
  };
  return (
    <main class="key">
      <h1>Flowsheet Studio</h1>
      <form onSubmit={send}>
        <label for="key">API key, or the token in the address that flowsheet studio printed</label>
        <input id="key" name="key" type="password" autocomplete="off" />
        <button type="submit" class="primary">
          Open
        </button>
        <output class="said error">{said}</output>
      </form>
    </main>
  );
}
