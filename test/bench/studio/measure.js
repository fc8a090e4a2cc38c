// What is measured of one page of the Studio.
import { sized } from "../size.js";
import { heapMb, isDrawn, rest, spent } from "./page.js";

const FRAMES = sized(120, 5);
const KEYS = sized(120, 5);

export async function measureOpening({ page, tools, address }) {
  const began = performance.now();
  const since = () => performance.now() - began;
  await page.goto(address, { waitUntil: "commit" });
  await page.locator(".top").waitFor();
  const paint = since();
  await page.locator('[role="gridcell"]').first().waitFor({ timeout: 120_000 });
  const grid = since();
  await isDrawn(page);
  const picture = since();
  await rest(page);
  return { paint, grid, picture, processor: await spent(tools), heapMb: await heapMb(tools) };
}

/** Processor time of a frame, in each of which the page does one thing. */
async function perFrame(page, tools, step, given) {
  const before = await spent(tools);
  await page.evaluate(
    async ([source, frames, given]) => {
      const act = STEPS[source];
      for (let i = 0; i < frames; i++) {
        act(i, given);
        await new Promise(requestAnimationFrame);
      }
    },
    [step, FRAMES, given],
  );
  return ((await spent(tools)) - before) / FRAMES;
}

/** What is done in a frame. They run in the page. */
const STEPS = `globalThis.STEPS = {
  wheel(i, { x, y }) {
    const back = i % 40 < 20 ? 1 : -1;
    const at = { clientX: innerWidth * 0.8, clientY: 250, bubbles: true, cancelable: true };
    document.querySelector(".drawn").dispatchEvent(new WheelEvent("wheel", { ...at, deltaX: x * back, deltaY: y * back }));
  },
  scroll(i, { by }) {
    const grid = document.querySelector(".grid");
    const end = grid.scrollHeight - grid.clientHeight;
    const at = (i * by) % (2 * end);
    grid.scrollTop = at > end ? 2 * end - at : at;
  },
};`;

export async function measurePicture({ page, tools, address }) {
  await page.goto(address);
  await isDrawn(page);
  await page.evaluate(STEPS);
  await rest(page);
  const afar = await perFrame(page, tools, "wheel", { x: 24, y: 0 });
  const zoom = await perFrame(page, tools, "wheel", { x: 0, y: -40 });
  for (let i = 0; i < 9; i++) await page.getByLabel("Zoom in").click();
  await page.locator(".painted > svg").waitFor();
  await rest(page);
  const near = await perFrame(page, tools, "wheel", { x: 24, y: 0 });
  return { afar, near, zoom };
}

export async function measureScrolling({ page, tools, address }) {
  await page.goto(address);
  await isDrawn(page);
  await page.evaluate(STEPS);
  await rest(page);
  return {
    rows: await perFrame(page, tools, "scroll", { by: 60 }),
    screens: await perFrame(page, tools, "scroll", { by: 700 }),
  };
}

/** From a key to the frame in which its letter is painted. */
const KEY_TIMES = `
  globalThis.keyTimes = [];
  addEventListener("keydown", ({ timeStamp }) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => keyTimes.push(performance.now() - timeStamp);
      port2.postMessage(null);
    });
  }, true);
`;

export async function measureTyping({ page, tools, address }) {
  await page.goto(address);
  await isDrawn(page);
  await page.locator('[role="gridcell"]').nth(1).click();
  await page.keyboard.press("F2");
  await rest(page);
  // Null: this page shows sheets and does not change them.
  if ((await page.locator("textarea[aria-autocomplete]").count()) === 0) return null;
  await page.evaluate(KEY_TIMES);
  const before = await spent(tools);
  for (let i = 0; i < KEYS; i++) {
    await page.keyboard.press("abcdefgh"[i % 8]);
    await page.waitForTimeout(40);
  }
  const processor = ((await spent(tools)) - before) / KEYS;
  const times = (await page.evaluate("keyTimes")).sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(share * times.length))];
  return { p50: at(0.5), p95: at(0.95), processor };
}
