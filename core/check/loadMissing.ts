import { withTokenizerOf } from '../llm/countExactly.js';
import { loadPatterns } from '../routing/patterns.js';
import type { RuleContext } from '../rules/rule.js';

/** The same context with the schema compiler and the engine of regular expressions, which are loaded only now. */
export async function withSchemas(context: RuleContext): Promise<RuleContext> {
  const { loadSchemaCompiler } = await import('../schema/loadSchemaCompiler.js');
  const [schemas, patterns] = await Promise.all([loadSchemaCompiler(), loadPatterns()]);
  return { ...context, schemas, patterns };
}

/** The same context with the tokenizer of a model as well. */
export async function withTokenizer(context: RuleContext, model: string): Promise<RuleContext> {
  return { ...context, countTokens: await withTokenizerOf(model, context.countTokens) };
}
