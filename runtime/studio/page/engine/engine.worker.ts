import { type ServiceWorld, SheetDocument } from "../../../../compiler/service/document.js";
import { agentFacts } from "../../../agents/facts.js";
import type { Drawing } from "../../../draw/svg/geometry.js";
import { type WorldData, worldFrom } from "../../world-data.js";
import { judge } from "./judge.js";
import { mended } from "./mend.js";
import type { Answers, Numbered, Question } from "./messages.js";
import { problemOf, understood } from "./understood.js";

let about: ServiceWorld["about"];

const serviceWorld = (world: WorldData, file: string): ServiceWorld => ({
  world: worldFrom(world, file, agentFacts),
  takesAll: true,
  get about() {
    return about;
  },
});

let present: SheetDocument | null = null;
let around: ServiceWorld | null = null;

/** The sheet that is open: nothing is asked before one is. */
function sheet(): SheetDocument {
  if (present === null) throw new Error("no sheet is open");
  return present;
}

const ANSWERS: {
  readonly [K in Question["kind"]]: (question: Asked<K>) => Answers[K] | Promise<Answers[K]>;
} = {
  open: ({ file, text, world }) => {
    around = serviceWorld(world, file);
    present = SheetDocument.open(file, text, around);
    // Offers say less as long as it is not there.
    void loadMore().then((more) => {
      about = more.about;
    });
    return understood(present.view());
  },
  edit: ({ splices }) => {
    sheet().edit(splices);
    return understood(sheet().view());
  },
  world: ({ world }) => {
    around = serviceWorld(world, sheet().file);
    sheet().changeWorld(around);
    return understood(sheet().view());
  },
  problems: ({ text }) =>
    around === null ? [] : SheetDocument.open(sheet().file, text, around).view().diagnostics.map(problemOf),
  judge: ({ written }) => judge(sheet(), written),
  mentions: async ({ cell }) => (await loadMore()).mentionsOf(sheet().view(), cell),
  // What was written must not wait for a connection.
  rename: ({ cell, to }) =>
    importMore().then(
      ({ renamed }) => renamed(sheet().view(), cell, to),
      () => ({ why: "the server does not answer" }),
    ),
  fix: ({ problem }) => mended(sheet().view(), problem),
  draw: ({ graph }) => draw(graph),
};

type Asked<K extends Question["kind"]> = Extract<Question, { readonly kind: K }>;

type More = typeof import("./layout.js");

const importMore = (): Promise<More> => import("./layout.js");

const AGAIN_MS = 2_000;

/** Without a connection it is tried again, for as long as that takes. */
async function loadMore(): Promise<More> {
  for (;;) {
    const more = await importMore().catch(() => null);
    if (more !== null) return more;
    await new Promise((again) => setTimeout(again, AGAIN_MS));
  }
}

async function draw(name: string): Promise<Drawing | null> {
  const graph = present?.view().graphs.find((one) => one.name === name);
  if (graph === undefined) return null;
  const { layOutGraph } = await loadMore();
  return layOutGraph(graph);
}

const answer = <K extends Question["kind"]>(question: Asked<K>) => ANSWERS[question.kind as K](question);

self.addEventListener("message", async ({ data }: MessageEvent<Numbered<Question>>) => {
  self.postMessage({ number: data.number, content: await answer(data.content) });
});
