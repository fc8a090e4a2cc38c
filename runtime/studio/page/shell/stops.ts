const FOCUSABLE = 'a[href], button:not(:disabled), input, select, textarea, [tabindex="0"]';

/** The parts of the page that F6 goes round, in their order: what carries `data-stop`. */
function stops(): readonly HTMLElement[] {
  const all = [...document.querySelectorAll<HTMLElement>("[data-stop]")];
  return all.filter((one) => one.offsetParent !== null && targetIn(one) !== null);
}

/** What takes the focus in a part: the one that has its Tab stop, else the first that can. */
function targetIn(stop: HTMLElement): HTMLElement | null {
  if (stop.matches('[tabindex="0"]')) return stop;
  return stop.querySelector<HTMLElement>('[tabindex="0"]') ?? stop.querySelector<HTMLElement>(FOCUSABLE);
}

export function goRound(step: 1 | -1): void {
  const all = stops();
  const at = all.findIndex((one) => one.contains(document.activeElement));
  const from = at < 0 && step < 0 ? 0 : at;
  const next = all[(from + step + all.length) % all.length];
  if (next !== undefined) targetIn(next)?.focus();
}

const STEPS: { readonly [key: string]: number } = {
  ArrowLeft: -1,
  ArrowUp: -1,
  ArrowRight: 1,
  ArrowDown: 1,
};

/** Arrows go from one to the next inside a part that is one Tab stop. */
export function walkInside(event: KeyboardEvent): void {
  const step = STEPS[event.key];
  const [host, target] = [event.currentTarget as HTMLElement, event.target as HTMLElement];
  if (step === undefined || (target.tagName === "SELECT" && /Up|Down/.test(event.key))) return;
  const inside = [...host.querySelectorAll<HTMLElement>(FOCUSABLE)];
  const next = inside[(inside.indexOf(target) + step + inside.length) % inside.length];
  event.preventDefault();
  next?.focus();
}

/** Leaves the part one Tab stop: the one that has or had the focus, else the first. */
export function oneStop(host: HTMLElement | null): void {
  const inside = [...(host?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])];
  const at = inside.find((one) => one === document.activeElement) ?? inside.find(hasStop) ?? inside[0];
  for (const one of inside) {
    one.tabIndex = one === at ? 0 : -1;
    one.toggleAttribute("data-at", one === at);
  }
}

const hasStop = (one: HTMLElement): boolean => one.hasAttribute("data-at");
