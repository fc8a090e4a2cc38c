import { createHash } from "node:crypto";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { startService, type TestService } from "../../http/service.js";
import { expectAccessible } from "./browser.js";
import { describeInBrowser } from "./stage.js";

const SHEET = `graph,node,next,agent,inputs,output,prompt,context.assignee,context.timeout_ms,context.not_starter
Refund,Approve,Pay,human,customer|amount,verdict|comment,May we pay {amount} back to {customer}?,,7200000,
Refund,Pay,,echo,verdict,reply,It was {verdict},,,
`;
const OTHERS = `graph,node,next,agent,inputs,output,prompt,context.assignee,context.not_starter
Finance,Book,,human,item,verdict,Book {item}?,role:finance,
Eyes,Check,,human,item,verdict,Is {item} right?,,true
Note,Ask,Say,input,who,note,What shall we tell {who}?,,
Note,Say,,echo,note,reply,We say: {note},,
Twice,One,Two,human,,first,Go on?,,
Twice,Two,,human,,second,Go on again?,,
`;

/** Who has a key, with what stands in the entry. */
const KEYS = {
  starter: "permissions: [execute]",
  approver: "permissions: [answer]\n      graphs: [Refund]",
  clerk: "permissions: [answer]\n      graphs: [Finance, Eyes, Note, Twice]",
  boss: "permissions: [admin]",
} as const;
type Key = keyof typeof KEYS;
const keyOf = (name: Key): string => `fsk_${name}-0123456789-0123456789-0123456789`;
const digest = (key: string): string => createHash("sha256").update(key).digest("hex");
const entries = Object.entries(KEYS).map(
  ([name, more]) =>
    `    ${name}:\n      key: sha256:${digest(keyOf(name as Key))}\n      user_id: ${name}\n      ${more}\n`,
);
const PHONE = { viewport: { width: 390, height: 844 } };

/** The server with its keys. */
const serve = (): Promise<TestService> => {
  const config = `server:\n  studio: read\nauthentication:\n  enabled: true\n  api_keys:\n${entries.join("")}`;
  return startService({ config, files: { "workflows/refund.csv": SHEET, "workflows/others.csv": OTHERS } });
};

describeInBrowser("the Inbox in a browser", serve, (stage) => {
  const ask = async (
    key: Key,
    path: string,
    body?: object,
  ): Promise<{ readonly [name: string]: unknown }> => {
    const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const headers = { "X-API-Key": keyOf(key), "Content-Type": "application/json" };
    const answer = await fetch(`${stage.server.url}${path}`, { headers, ...sent });
    return (await answer.json()) as { readonly [name: string]: unknown };
  };
  const start = async (graph_name: string, initial_state: object = {}): Promise<string> =>
    String((await ask("starter", "/execute", { graph_name, initial_state }))["run_id"]);
  /** Opens a link, and gives the key that the page asks for. */
  const open = async (key: Key, place: string, options = {}): Promise<Page> => {
    const page = await stage.visit(`${stage.server.url}/studio/${place}`, options);
    await page.getByLabel(/^API key/).fill(keyOf(key));
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByRole("heading", { level: 1 }).waitFor();
    return page;
  };
  const card = (page: Page, name: string) => page.getByRole("article", { name });

  test("whoever only answers has a link and a key, on a telephone, and sees that question alone", async () => {
    const id = await start("Refund", { customer: "Ada", amount: "80" });
    const other = await start("Finance", { item: "a chair" });
    const page = await open("approver", `#/inbox/${id}`, { ...PHONE, allows: /404/ });
    const mine = card(page, "Refund: Approve");
    await mine.getByText("May we pay 80 back to Ada?").waitFor();
    await mine.getByRole("definition").filter({ hasText: "Ada" }).waitFor();
    await mine.getByText(/^To answer until/).waitFor();
    expect(
      await page.getByRole("navigation", { name: "Screens" }).getByRole("link").allTextContents(),
    ).toEqual(["Inbox1"]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    for (const name of ["Approve", "Reject"]) {
      const box = await mine.getByRole("button", { name }).boundingBox();
      expect(box?.height).toBeGreaterThanOrEqual(44);
    }
    const size = await mine
      .locator(".question")
      .evaluate((element) => element.ownerDocument.defaultView?.getComputedStyle(element).fontSize);
    expect(size).toBe("15px");
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.locator('html[data-theme="dark"]').waitFor();
    await expectAccessible(page);
    await mine.getByRole("textbox", { name: "Comment" }).fill("only this once");
    await mine.getByRole("button", { name: "Approve" }).click();
    await page.getByText("Answered “approve”. Refund: completed · 1 more step").waitFor();
    await expectAccessible(page);
    const run = await ask("boss", `/runs/${id}`);
    expect(run).toMatchObject({ state: { verdict: "approve", comment: "only this once" } });
    await page.evaluate(`location.hash = "#/inbox/${other}"`);
    await page.getByText("There is no such question for you any more").waitFor();
    await expectAccessible(page);
    await page.evaluate(`location.hash = "#/runs/${other}"`);
    await page.getByRole("heading", { name: "Waiting for you" }).waitFor();
  });

  test("nothing waits, and then something does, which the rail counts", async () => {
    const page = await open("approver", "#/inbox");
    await page.getByText("Nothing waits for you.").waitFor();
    await expectAccessible(page);
    await start("Refund", { customer: "Bob", amount: "7" });
    await card(page, "Refund: Approve").waitFor();
    await start("Refund", { customer: "Eve", amount: "9" });
    await page.getByText(/^2 questions/).waitFor();
    const texts = await page.locator(".question").allTextContents();
    expect(texts).toEqual(["May we pay 7 back to Bob?", "May we pay 9 back to Eve?"]);
    await page.getByRole("link", { name: "Inbox 2" }).waitFor();
    await card(page, "Refund: Approve").first().getByRole("button", { name: "Reject" }).click();
    await page.getByText(/^Answered “reject”\. Refund: completed/).waitFor();
    // It goes by itself.
    await page.getByText(/^Answered/).waitFor({ state: "detached", timeout: 30_000 });
    await page.getByText(/^1 question\./).waitFor();
  });

  /** The page of the clerk, which hears of nothing, as on a bad line. */
  const openDeaf = async (): Promise<Page> => {
    const page = await stage.visit(`${stage.server.url}/studio/#/inbox`, {
      allows: /ERR_FAILED|409/,
    });
    await page.route("**/api/events", (route) => route.abort());
    await page.getByLabel(/^API key/).fill(keyOf("clerk"));
    await page.getByRole("button", { name: "Open" }).click();
    return page;
  };

  test("of two who answer, the second is told that the run has ended", async () => {
    const id = await start("Note", { who: "Ada" });
    const page = await openDeaf();
    const mine = card(page, "Note: Ask");
    expect(await mine.getByRole("textbox", { name: "Comment" }).count()).toBe(0);
    await mine.getByRole("textbox", { name: "Answer" }).fill("a late word");
    await page.getByText("No connection, trying again").waitFor();
    await ask("starter", `/runs/${id}/resume`, { answers: { Ask: "a word in time" } });
    await mine.getByRole("button", { name: "Send" }).click();
    await page.getByText("Too late: somebody else has answered").waitFor();
    await expectAccessible(page);
    expect(await ask("boss", `/runs/${id}`)).toMatchObject({ state: { note: "a word in time" } });
  });

  test("of two who answer, the second is told, also while the run goes on", async () => {
    const id = await start("Twice");
    const page = await openDeaf();
    const button = card(page, "Twice: One").getByRole("button", { name: "Approve" });
    await button.waitFor();
    await ask("starter", `/runs/${id}/resume`, { answers: { One: "approve" } });
    await button.click();
    await page.getByText("Answered by somebody else just now.").waitFor();
  });

  test("who is asked is said, and whoever may not answer is told why", async () => {
    await start("Finance", { item: "a desk" });
    await start("Eyes", { item: "the sum" });
    const page = await open("clerk", "#/inbox");
    const others = card(page, "Finance: Book").first();
    await others.getByText("Asked of role:finance. You are clerk.").waitFor();
    expect(await others.getByRole("button").count()).toBe(0);
    await page.getByRole("heading", { name: "Asked of others" }).waitFor();
    await expectAccessible(page);
    const own = await open("starter", "#/inbox");
    const eyes = card(own, "Eyes: Check");
    await eyes.getByText("You began this run: somebody else has to answer.").waitFor();
    expect(await eyes.getByRole("button").count()).toBe(0);
    await expectAccessible(own);
  });

  test("a link to an answered question says who answered, what and when", async () => {
    const id = await start("Refund", { customer: "Ivy", amount: "12" });
    const page = await open("approver", `#/inbox/${id}`, PHONE);
    await card(page, "Refund: Approve").getByRole("button", { name: "Reject" }).click();
    await page.getByText(/^Answered “reject”\. Refund: completed/).waitFor();
    const late = await open("approver", `#/inbox/${id}`, PHONE);
    await late.getByRole("heading", { name: "Already answered" }).waitFor();
    await late.getByText(/^Approve was answered by you, .*: rejected\.$/).waitFor();
    await expectAccessible(late);
    const other = await open("boss", `#/inbox/${id}`);
    await other.getByText(/^Approve was answered by approver, .*: rejected\.$/).waitFor();
    await other.getByRole("definition").filter({ hasText: "reject" }).waitFor();
  });

  test("a card that others answer says so in its place, and the one that it moves takes no tap at once", async () => {
    const first = await start("Note", { who: "the first" });
    await start("Note", { who: "the second" });
    const page = await open("clerk", "#/inbox");
    const cardOf = (who: string) => card(page, "Note: Ask").filter({ hasText: who });
    const send = cardOf("the second").getByRole("button", { name: "Send" });
    await send.waitFor();
    await expect.poll(() => send.getAttribute("aria-disabled")).toBe("false");
    await send.evaluate((button) => {
      const { MutationObserver: Observer } = button.ownerDocument.defaultView as unknown as {
        readonly MutationObserver: new (
          told: () => void,
        ) => { observe: (what: unknown, how: object) => void };
      };
      const note = (): void => {
        if (button.getAttribute("aria-disabled") === "true") button.setAttribute("data-was-held", "yes");
      };
      new Observer(note).observe(button, { attributeFilter: ["aria-disabled"] });
    });
    await ask("starter", `/runs/${first}/resume`, { answers: { Ask: "by somebody else" } });
    await page.getByText(/^Not open any more: /).waitFor();
    await expect.poll(() => send.getAttribute("data-was-held")).toBe("yes");
    await expect.poll(() => send.getAttribute("aria-disabled")).toBe("false");
    const field = cardOf("the second").getByRole("textbox", { name: "Answer" });
    await field.fill("a word");
    // Enter breaks the line, Ctrl+Enter sends, and on a Mac the Command key does. It takes no word that is composed.
    await field.press("Enter");
    await field.evaluate((text) => {
      const { KeyboardEvent: Key } = text.ownerDocument.defaultView as unknown as {
        readonly KeyboardEvent: new (type: string, about: object) => Event;
      };
      const held = { key: "Enter", ctrlKey: true, bubbles: true, cancelable: true };
      text.dispatchEvent(new Key("keydown", { ...held, isComposing: true }));
    });
    await field.press("m");
    await field.press("Meta+Enter");
    await page.getByText(/^Answered “a word\sm/).waitFor();
  });

  test("a key that is kept for the tab is not asked for again, also when the server is silent for a while", async () => {
    const page = await stage.visit(`${stage.server.url}/studio/#/inbox`, { allows: /ERR_FAILED/ });
    await page.getByLabel(/^API key/).fill(keyOf("approver"));
    await page.getByLabel("Keep for this tab").check();
    await page.getByRole("button", { name: "Open" }).click();
    const heading = page.getByRole("heading", { name: "Waiting for you" });
    await heading.waitFor();
    await page.reload();
    await heading.waitFor();
    await page.route("**/api/session", (route) => route.abort());
    await page.reload();
    await page.getByText("The server does not answer. It is tried again until it does.").waitFor();
    await expectAccessible(page);
    await page.unroute("**/api/session");
    await heading.waitFor();
  });

  test("a run that asks again comes with its next question", async () => {
    const id = await start("Twice");
    const page = await open("clerk", `#/inbox/${id}`, PHONE);
    await card(page, "Twice: One").getByRole("button", { name: "Approve" }).click();
    await page.getByText("Twice asks another question now.").waitFor();
    await card(page, "Twice: Two").getByRole("button", { name: "Approve" }).click();
    await page.getByText("Answered “approve”. Twice: completed").waitFor();
  });

  test("what a run was given is text, and nothing else", async () => {
    const who = "<img src=x onerror=alert(1)>\u202e";
    const id = await start("Note", { who });
    const page = await open("clerk", `#/inbox/${id}`);
    await page.getByText("What shall we tell <img src=x onerror=alert(1)>\\u202e?").waitFor();
    expect(await page.locator("img").count()).toBe(0);
  });

  test("by keys alone: an answer with a comment, and the focus stays where it was", async () => {
    await start("Refund", { customer: "Zoe", amount: "3" });
    const page = await open("approver", "#/inbox");
    const mine = card(page, "Refund: Approve").filter({ hasText: "Zoe" });
    await mine.getByRole("textbox", { name: "Comment" }).focus();
    await page.keyboard.type("by keys");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText(/^Answered “approve”\. Refund: completed/).waitFor();
    expect(await page.evaluate("document.activeElement?.tagName")).not.toBe("BODY");
  });

  test("whoever began a run is told that others must answer, and has no buttons", async () => {
    const begun = await ask("boss", "/execute", { graph_name: "Eyes", initial_state: { item: "the sum" } });
    const page = await open("boss", `#/runs/${begun["run_id"]}`);
    await page.getByText("You began this run: somebody else has to answer here.").waitFor();
    expect(await page.getByRole("button", { name: "Approve" }).count()).toBe(0);
    await page.getByRole("link", { name: /^Inbox/ }).click();
    const eyes = card(page, "Eyes: Check").filter({ hasText: "You began this run" });
    await eyes.waitFor();
    expect(await eyes.getByRole("button", { name: "Approve" }).count()).toBe(0);
  });
});
