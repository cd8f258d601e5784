import type { ConfigFile } from '../config/configFile.js';
import { isObject, type Json, type JsonObject } from '../json.js';
import { fitsSimply } from '../schema/simpleSchema.js';
import { findField } from './facts/agentContract.js';
import { issueWords } from './facts/issueWords.js';
import { findSetting, layersOf, placeOf, type Setting } from './facts/layers.js';
import { findUsedPrompt } from './facts/usedPrompt.js';
import type { Rule, RuleContext } from './rule.js';

/**
 * An example in the agent's prompt whose output the agent's output schema refuses: it shows the model an answer that would not be
 * accepted. Marked where the agent's layers name the prompt.
 */
export const fewShotFitsSchema: Rule = {
  code: 'few-shot-fits-schema',
  severity: 'error',
  kinds: ['agent'],
  on: 'value',
  needsSchemas(file, context) {
    const examples = findExamples(file, context);
    return examples?.examples.some((example) => isObject(example) && fitsSimply(examples.schema, example.output as Json) !== true) === true;
  },
  check(file, context, report) {
    const examples = findExamples(file, context);
    if (examples === undefined) return;
    const compiled = context.schemas?.compile(examples.schema);
    // A schema that cannot be compiled is reported by output-schema-invalid.
    if (compiled?.ok !== true) return;
    const { pointer } = placeOf(file, examples.reference, '');
    for (const [index, example] of examples.examples.entries()) {
      if (!isObject(example) || example.output === undefined) continue;
      const issues = compiled.check(example.output);
      const [first] = issues;
      if (first === undefined) continue;
      const { text } = issueWords('its output', first, example.output);
      const more = issues.length === 1 ? '' : ` And ${issues.length - 1} more.`;
      const output = `/few_shot_examples/${index}/output`;
      report({
        pointer,
        message: `Example ${index + 1} of the prompt ${JSON.stringify(examples.prompt)} shows an answer that output_schema refuses: ${text}${more}`,
        related: issues.slice(0, mostPlaces).map((issue) => ({
          file: examples.path,
          pointer: `${output}${issue.path}`,
          message: issueWords('The output', issue, example.output as Json).text,
        })),
        data: { prompt: examples.prompt, example: index + 1, issues },
      });
    }
  },
};

const mostPlaces = 10;

interface Examples {
  readonly prompt: string;
  readonly path: string;
  readonly reference: Setting;
  readonly examples: readonly Json[];
  readonly schema: JsonObject;
}

/** Undefined for the many agents that name no prompt, or a prompt without examples. */
function findExamples(file: ConfigFile, context: RuleContext): Examples | undefined {
  const stack = layersOf(file, context);
  if (stack === undefined || findSetting(stack, 'prompts') === undefined) return undefined;
  const used = findUsedPrompt(file, stack, context);
  const examples = used?.value.few_shot_examples;
  if (used === undefined || !Array.isArray(examples) || examples.length === 0) return undefined;
  if (findSetting(stack, 'prompts', 'few_shot_examples')?.value === false) return undefined;
  const schema = findField(file, context, 'output_schema')?.value;
  return isObject(schema) ? { prompt: used.id, path: used.path, reference: used.reference, examples, schema } : undefined;
}
