import { useEffect, useRef, useState } from "preact/hooks";
import { server } from "../connection/present.js";
import { wordsOf } from "../connection/requests.js";
import { run } from "../run/run-state.js";
import { manyLines } from "../sheet/shown-text.js";
import { session } from "../state.js";
import { loadTests } from "./run-tests.js";
import { type Failure, tests } from "./test-state.js";

interface Kept {
  readonly file: string;
  readonly case: string;
  readonly outcome: { readonly status: "passed" | "failed"; readonly failures: readonly Failure[] };
}

const END = new Set(["completed", "failed", "suspended"]);

/** Keeps the shown run as a case of the sheet's tests. */
export function KeepCase() {
  const { id = null, status = "", sheet = "" } = run.value ?? {};
  const { features, can = [] } = session.value ?? {};
  const isThere = features?.tests === true && can.includes("write");
  if (!isThere || id === null || !END.has(status) || !/\.csv$/i.test(sheet)) return null;
  return <KeepForm key={`${id} ${status}`} id={id} sheet={sheet} first={firstName()} />;
}

/** What tells the run from others: the first text that it was given. */
function firstName(): string {
  const { steps = [], status } = run.value ?? {};
  const [first] = steps.flatMap(({ inputs }) => Object.values((inputs ?? {}) as object));
  const given = typeof first === "string" ? nameIn(first) : "";
  const end = status === "suspended" ? "waits" : status === "failed" ? "fails" : "completes";
  return given === "" ? `it ${end}` : `${given}: it ${end}`;
}

/** No name begins with a sign, and none has signs that cannot be seen. */
const nameIn = (text: string): string =>
  [...text.replace(/[\s\p{C}]+/gu, " ").replace(/^[^\p{L}\p{N}]+/u, "")].slice(0, 40).join("").trim();

interface FormView {
  readonly id: string;
  readonly sheet: string;
  readonly first: string;
}

function KeepForm({ id, sheet, first }: FormView) {
  const [isOpen, setOpen] = useState(false);
  const [kept, setKept] = useState<Kept | null>(null);
  const [said, say] = useState<readonly string[]>([]);
  const [isSending, setSending] = useState(false);
  const name = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isOpen) name.current?.select();
  }, [isOpen]);
  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const name = `${new FormData(event.currentTarget as HTMLFormElement).get("case") ?? ""}`;
    if (isSending) return;
    setSending(true);
    say([]);
    try {
      setKept(await keep({ sheet, run_id: id, case: name }));
      if (tests.value?.sheet === sheet) void loadTests();
    } catch (error) {
      say(wordsOf(error));
    }
    setSending(false);
  };
  if (kept !== null) return <KeptWords kept={kept} />;
  if (!isOpen)
    return (
      <p class="keep-case">
        <button type="button" onClick={() => setOpen(true)}>
          Keep this run as a case
        </button>
      </p>
    );
  return (
    <form class="keep-case" aria-label="Keep this run as a case" onSubmit={send}>
      <label for="case-name">Name of the case</label>
      <input ref={name} id="case-name" name="case" required maxLength={200} defaultValue={first} />
      <button type="submit" class="primary" aria-disabled={isSending}>
        Keep
      </button>
      <button type="button" onClick={() => setOpen(false)}>
        Do not keep it
      </button>
      <output class="said error">{said.map(manyLines).join(" ")}</output>
    </form>
  );
}

async function keep(body: object): Promise<Kept> {
  const response = await server().ask("api/tests/cases", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Kept;
}

function KeptWords({ kept }: { readonly kept: Kept }) {
  const { file, outcome } = kept;
  const [failure] = outcome.failures;
  return (
    <output class={`keep-case said ${outcome.status === "passed" ? "good" : "error"}`}>
      {outcome.status === "passed"
        ? `✓ Kept in ${manyLines(file)} as “${manyLines(kept.case)}”. It was run once, and passes.`
        : `Kept in ${manyLines(file)} as “${manyLines(kept.case)}”, but it does not pass: ${manyLines(failure?.message ?? "")}. Tests shows why.`}
    </output>
  );
}
