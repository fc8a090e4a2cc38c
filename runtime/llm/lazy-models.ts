import type { LanguageModels } from "../graph/contract/services.js";
import { lazily } from "../lazy.js";
import type { ModelsOptions } from "./language-models.js";

/** The language models of a project; what they take is loaded when one is first asked. */
export function lazyModels(options: ModelsOptions): LanguageModels {
  const models = lazily(async () => (await import("./language-models.js")).createLanguageModels(options));
  return { generate: async (request, call) => (await models()).generate(request, call) };
}
