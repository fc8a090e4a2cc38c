import type { Context, Span, Tracer } from "@opentelemetry/api";
import type { Generated, LanguageModels, ModelRequest } from "../graph/contract/services.js";
import { attribute, genAi, spanNames } from "./names.js";
import { fail, quietly, within } from "./observed-run.js";
import type { Api } from "./telemetry.js";

export interface Chatting {
  readonly models: LanguageModels;
  readonly isGenAi: boolean;
  readonly tracer: Tracer;
}

/** A span for each call of a model, inside the span of its node. Texts are no attributes. */
export function chatting(api: Api, { models, isGenAi, tracer }: Chatting): LanguageModels {
  const tell = (span: Span, generated: Generated): void => {
    span.updateName(spanNames.chat(generated.model));
    span.setAttributes({ ...(isGenAi ? answerFacts(generated) : {}), ...ownFacts(generated) });
  };
  return {
    async generate(request, call) {
      const asked = request.model ?? request.provider ?? "the default model";
      const attributes = isGenAi ? askedFacts(request) : {};
      const about = { kind: api.SpanKind.CLIENT, attributes };
      const span = quietly(() => tracer.startSpan(spanNames.chat(asked), about));
      if (span === undefined) return models.generate(request, call);
      try {
        const inside = (): Context => api.trace.setSpan(api.context.active(), span);
        const generated = await within(api, inside, () => models.generate(request, call));
        quietly(() => tell(span, generated));
        return generated;
      } catch (thrown) {
        quietly(() => fail(api, span, "provider_failed", null));
        throw thrown;
      } finally {
        quietly(() => span.end());
      }
    },
  };
}

const askedFacts = ({ model }: ModelRequest) => ({
  [genAi.operation]: "chat",
  ...(model === undefined ? {} : { [genAi.requestModel]: model }),
});

const answerFacts = ({ model, provider, usage }: Generated) => ({
  [genAi.provider]: provider,
  [genAi.responseModel]: model,
  [genAi.inputTokens]: usage.input_tokens,
  [genAi.outputTokens]: usage.output_tokens,
});

const ownFacts = ({ model, provider, usage }: Generated) => ({
  [attribute.model]: model,
  [attribute.provider]: provider,
  [attribute.inputTokens]: usage.input_tokens,
  [attribute.outputTokens]: usage.output_tokens,
});
