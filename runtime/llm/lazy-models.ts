import type { LanguageModels } from "../graph/services.js";
import type { ModelsOptions } from "./language-models.js";

/** The language models of a project; what they take is loaded when one is first asked. */
export function lazyModels(options: ModelsOptions): LanguageModels {
  let made: Promise<LanguageModels> | null = null;
  const models = (): Promise<LanguageModels> => {
    made ??= import("./language-models.js").then(({ createLanguageModels }) => createLanguageModels(options));
    return made;
  };
  return { generate: async (request, call) => (await models()).generate(request, call) };
}
