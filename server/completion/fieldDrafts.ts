import type { FileIdentity } from '../../core/config/configFile.js';
import { isObject, type JsonObject } from '../../core/json.js';
import { typesOf } from '../schemaDocs.js';
import { conditionValueDraft } from './conditions.js';
import { type Draft, json, list, object, openList, openObject, raw, text } from './draft.js';
import { schemaDraft } from './schemaDraft.js';
import type { Spot } from './spot.js';
import { httpServer, stdioServer } from './wholeFiles.js';

/** What is put behind a field's name: what its schema says, or a better form where one is known. */
export function draftOfField(spot: Spot, name: string, schema: JsonObject, _identity?: FileIdentity): Draft {
  const { path } = spot;
  const parent = path.at(-2);
  if (path.includes('output_schema') || path.includes('input_schema')) return keywordDraft(name, schema);
  switch (name) {
    case 'output_schema':
    case 'input_schema':
      return object(
        ['type', json('object')],
        ...(name === 'output_schema' ? [['additionalProperties', json(false)] as const] : []),
        ['required', list(text('field'))],
        ['properties', object([text('field'), object(['type', json('string')], ['description', text()])])],
      );
    case 'execution_plan':
      return object(['steps', list(stepDraft)], ['output', text('{{steps.step.output}}')]);
    case 'routing':
      return routingDraft;
    case 'tasks':
      return list(taskDraft);
    case 'steps':
      return list(stepDraft);
    case 'value':
      return conditionValueDraft(spot) ?? text();
    case 'condition':
    case 'until':
    case 'when':
      return openObject;
    case 'input':
      return openObject;
    case 'repeat':
      return object(['until', openPlain], ['max', raw('3')]);
    case 'few_shot_examples':
      return typesOf(schema).includes('array') ? list(exampleDraft) : schemaDraft(schema);
    case 'prompts':
      return object(['system_prompt', text()]);
    case 'api_key':
      return text('secret://');
    case 'default':
    case 'next_team':
      return parent === 'routing' || name === 'next_team' ? text() : schemaDraft(schema);
    case 'not':
      return openObject;
    case 'any':
      return openList;
    default:
      return schemaDraft(schema);
  }
}

/** For an object inside a form, where a second open one would be the end of it. */
const openPlain: Draft = object(['step', text()], ['status', json('success')]);

/** What a JSON Schema keyword takes. */
function keywordDraft(name: string, schema: JsonObject): Draft {
  switch (name) {
    case 'type':
      return text();
    case 'enum':
    case 'required':
      return list(text());
    case 'additionalProperties':
      return json(false);
    case 'items':
      return object(['type', text('string')]);
    case 'properties':
      return object([text('field'), object(['type', json('string')])]);
    case '$ref':
      return text('#/$defs/');
    case 'const':
    case 'default':
      return text();
    case 'anyOf':
    case 'oneOf':
    case 'allOf':
    case 'prefixItems':
      return list(object(['type', text('string')]));
    default:
      return isObject(schema) ? schemaDraft(schema) : text();
  }
}

export const stepDraft: Draft = object(['name', text('step')], ['llm', text('{{input}}')]);
export const taskDraft: Draft = object(['name', text('task')], ['agent', text('Agent@v1')]);
export const routingDraft: Draft = object(['default', json(null)]);
export const exampleDraft: Draft = object(['input', object([text('text'), text()])], ['output', object([text('field'), text()])]);
export const serverDrafts = { stdio: stdioServer, http: httpServer };
