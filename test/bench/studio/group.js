// The group `studio`: what the page weighs, and what it costs its main thread in a browser, as processor time. Wall
// times stand beside it where a person waits; those of a busy machine say little.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { largeGraph, largeSheet } from "../sheets.js";
import { sized } from "../size.js";
import { measureChoosing, measureLayout, measureProblems } from "./answers.js";
import { measureOpening, measurePicture, measureScrolling, measureTyping } from "./measure.js";
import { CHROMIUM, withPage } from "./page.js";

const FOLDER = fileURLToPath(new URL("../../../dist/studio", import.meta.url));
const SUPPORT = fileURLToPath(new URL("../../../examples/support.csv", import.meta.url));

/**
 * @param {(what: string, measured: number, goal: number, unit: string) => void} report
 * @param {string} folder
 */
export async function measureStudio(report, folder) {
  for (const [name, kilobytes, goal] of weights())
    report(`the page, compressed: ${name}`, kilobytes, goal, "KB");
  if (!existsSync(CHROMIUM)) {
    console.log(`studio: there is no ${CHROMIUM}, so only sizes are measured`);
    return;
  }
  const graph = join(folder, "studio-graph.csv");
  const sheet = join(folder, "studio-sheet.csv");
  writeFileSync(graph, largeGraph(sized(1_000, 150)));
  writeFileSync(sheet, largeSheet(sized(10_000, 300), sized(1_000, 150)));
  const goals = [
    [SUPPORT, "11 nodes", { paint: 500, grid: 700, picture: 1_200, heap: 8 }],
    [graph, "a graph of 1,000 nodes", { paint: 500, grid: 900, picture: 2_200, heap: 15 }],
    [sheet, "10,000 rows", { paint: 500, grid: 900, picture: 2_200, heap: 40 }],
  ];
  for (const [file, name, goal] of sized(goals, goals.slice(0, 1))) {
    const opening = await withPage(file, measureOpening);
    report(`${name}: first paint (wall time)`, opening.paint, goal.paint, "ms");
    report(`${name}: grid (wall time)`, opening.grid, goal.grid, "ms");
    report(`${name}: picture (wall time)`, opening.picture, goal.picture, "ms");
    report(`${name}: until the picture`, opening.processor, 500, "ms");
    report(`${name}: heap after collection`, opening.heapMb, goal.heap, "MB");
  }
  const picture = await withPage(graph, measurePicture);
  report("a frame of the picture of 1,000 nodes: moved afar", picture.afar, 12, "ms");
  report("a frame of the picture of 1,000 nodes: moved near", picture.near, 8, "ms");
  report("a frame of the picture of 1,000 nodes: zoomed", picture.zoom, 16, "ms");
  const scrolling = await withPage(sheet, measureScrolling);
  report("a frame of the grid of 10,000 rows: scrolled by rows", scrolling.rows, 10, "ms");
  report("a frame of the grid of 10,000 rows: scrolled by screens", scrolling.screens, 30, "ms");
  const typing = await withPage(sheet, measureTyping);
  report("key to paint in 10,000 rows, p50 (wall time)", typing.p50, 16, "ms");
  report("key to paint in 10,000 rows, p95 (wall time)", typing.p95, 50, "ms");
  report("a key in 10,000 rows", typing.processor, 16, "ms");
  const { small, large } = await withPage(sheet, measureProblems);
  report("key to problem, graph of 50 in 10,000 rows, p50 (wall time)", small.p50, 50, "ms");
  report("key to problem, graph of 50 in 10,000 rows, p95 (wall time)", small.p95, 100, "ms");
  report("key to problem, graph of 1,000 in 10,000 rows, p50 (wall time)", large.p50, 150, "ms");
  report("key to problem, graph of 1,000 in 10,000 rows, p95 (wall time)", large.p95, 300, "ms");
  const choosing = await withPage(graph, measureChoosing);
  report("node of 1,000 clicked, until its row is painted, p50 (wall time)", choosing.p50, 60, "ms");
  const layout = await withPage(graph, (opened) => measureLayout(opened, graph));
  report("the first layout of 1,000 nodes", layout, 60, "ms");
}

/** A script with those that it loads at once. */
function withImports(name) {
  const code = readFileSync(join(FOLDER, name), "utf8");
  const found = [...code.matchAll(/(?:\bfrom|\bimport)\s*"\.\/([^"]+)"/g)].map(([, file]) => file);
  return [name, ...found.flatMap(withImports)];
}

const packed = () => readdirSync(FOLDER).filter((name) => name.endsWith(".gz"));

const weigh = (isMeant) =>
  packed()
    .filter(isMeant)
    .reduce((sum, name) => sum + statSync(join(FOLDER, name)).size, 0) / 1024;

/** What the page loads to understand a sheet, in KB. */
export function engineWeight() {
  const engine = packed()
    .filter((name) => name.startsWith("engine-"))
    .map((name) => name.slice(0, -".gz".length));
  const files = new Set(engine.flatMap(withImports).map((name) => `${name}.gz`));
  return weigh((name) => files.has(name));
}

function weights() {
  const main = packed()
    .filter((name) => name.startsWith("main-"))
    .map((name) => name.slice(0, -".gz".length));
  const shell = new Set(main.flatMap(withImports).map((name) => `${name}.gz`));
  for (const name of packed()) if (/^(index|style)/.test(name)) shell.add(name);
  return [
    ["the shell", weigh((name) => shell.has(name)), 70],
    ["the worker", engineWeight(), 110],
    ["all", weigh(() => true), 250],
  ];
}
