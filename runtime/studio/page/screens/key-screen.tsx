import { useState } from "preact/hooks";
import { tokenIn } from "../connection/credential.js";
import { enterWith } from "../load.js";

/** Asks for what lets the page in. Nothing else is shown before. */
export function KeyScreen() {
  const [said, say] = useState("");
  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement);
    const text = tokenIn(`${given.get("key") ?? ""}`.trim());
    if (text === "") return;
    const came = await enterWith(text, given.has("kept"));
    if (came !== "in") say(`The server does not ${came === "no" ? "take this key or token" : "answer"}.`);
  };
  return (
    <main class="key">
      <h1>Flowsheet Studio</h1>
      <form onSubmit={send}>
        <label for="key">API key or token</label>
        <input
          id="key"
          name="key"
          type="password"
          autocomplete="current-password"
          aria-describedby="key-from"
        />
        <p id="key-from" class="quiet">
          Whoever runs the server gives you a key. On your own machine open the address that flowsheet studio
          printed, or paste it here.
        </p>
        <label class="tick">
          <input name="kept" type="checkbox" />
          Keep for this tab
        </label>
        <button type="submit" class="primary">
          Open
        </button>
        <output class="said error">{said}</output>
      </form>
    </main>
  );
}
