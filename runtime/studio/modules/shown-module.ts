import type { Service } from "../../http/service.js";
import type { GraphModule } from "../workshop.js";

/** The module that was shown last, and what was said of its file. */
export interface ShownModule {
  readonly path: string;
  readonly graph: string;
  readonly is: Pick<GraphModule, "stale" | "written">;
}

const shown = new WeakMap<Service, ShownModule>();

export const noteModule = (service: Service, module: ShownModule): void => void shown.set(service, module);

/** Null as long as nobody has looked at a module. */
export const lastModule = (service: Service): ShownModule | null => shown.get(service) ?? null;
