import { isObject, type JsonObject } from '../../core/json.js';
import type { Kind } from '../../core/kinds.js';
import { jsonSchemaTypes } from '../jsonSchemaWords.js';
import { typesOf } from '../schemaDocs.js';
import { conditionMemberDraft } from './conditions.js';
import { choice, type Draft, json, list, object, openList, openObject, raw, text } from './draft.js';
import { expectationNames } from './expectations.js';
import { caseForm, exampleForm, expectationForm, stepForm, taskForm, teamForm, turnForm } from './itemForms.js';
import { schemaRootAt } from './jsonSchema.js';
import { chosenFrom, mostChoices, schemaDraft } from './schemaDraft.js';
import type { Spot } from './spot.js';

/** The value inserted with a field: its special form if it has one, otherwise what the schema of the field suggests. */
export function draftOfField(spot: Spot, name: string, schema: JsonObject): Draft {
  const around = spot.path.slice(0, -1);
  const root = schemaRootAt(around);
  if (root !== undefined) return keywordDraft(name, schema, root.length === around.length);
  switch (name) {
    case 'output_schema':
    case 'input_schema':
      return object(
        ['type', json('object')],
        ...(name === 'output_schema' ? [['additionalProperties', json(false)] as const] : []),
        ['required', list(text('field', 'field'))],
        ['properties', object([text('field', 'field'), object(['type', json('string')], ['description', text()])])],
      );
    case 'execution_plan':
      return object(['steps', list(stepForm)], ['output', text('{{steps.step.output}}')]);
    case 'routing':
      return object(['default', raw('null')]);
    case 'tasks':
      return list(taskForm(spot));
    case 'steps':
      return list(stepForm);
    case 'task':
    case 'step':
    case 'output_field':
    case 'operator':
    case 'value':
      return conditionMemberDraft(name, spot) ?? schemaDraft(schema);
    case 'condition':
    case 'when':
    case 'not':
    case 'input':
      return openObject;
    case 'any':
      return openList;
    case 'repeat':
      return object(['until', object(['step', text()], ['status', json('success')])], ['max', raw('3')]);
    case 'few_shot_examples':
      return typesOf(schema).includes('array') ? list(exampleForm) : schemaDraft(schema);
    case 'prompts':
      return object(['system_prompt', text()]);
    case 'api_key':
      return text('secret://');
    case 'entry_team':
      return chosenFrom(teamIds(spot)) ?? text();
    case 'teams':
      return object([text('first'), teamForm(spot, 'First')]);
    case 'persona_key':
      return chosenId(spot, 'persona');
    case 'llm_config_id':
      return chosenId(spot, 'llm');
    case 'system_prompt':
      return chosenId(spot, 'prompt');
    case 'agent':
    case 'judge':
      return chosenId(spot, 'agent');
    case 'tool':
      return chosenFrom((expectationNames('tool', spot) ?? []).map(({ label }) => label)) ?? text();
    case 'expect':
    case 'arguments':
      return list(expectationForm);
    case 'tools_in_order':
      return list(chosenFrom((expectationNames(name, spot) ?? []).map(({ label }) => label)) ?? text());
    case 'cases':
      return list(caseForm(spot));
    case 'turns':
      return list(turnForm);
    case 'route':
      return json(true);
    case 'text':
      return spot.kind === 'payload' ? json(true) : schemaDraft(schema);
    case 'default':
    case 'next_team':
      return name === 'next_team' || around.at(-1) === 'routing' ? nextTeam(spot) : schemaDraft(schema);
    default:
      return schemaDraft(schema);
  }
}

/** A choice of the files of a kind; an empty string if there are too many. */
function chosenId({ project, identity, kind: fileKind }: Spot, kind: Kind): Draft {
  const ids = project.index.ids(kind);
  // The file itself may be among them, and is not offered.
  if (ids.size > mostChoices + 1) return text();
  return chosenFrom([...ids.keys()].filter((id) => kind !== fileKind || id !== identity.id)) ?? text();
}

/** One of the other teams, or the end of the run. */
function nextTeam(spot: Spot): Draft {
  const others = teamIds(spot).filter((id) => id !== spot.path[1]);
  return choice(['null', ...others.map((id) => JSON.stringify(id))], 'raw');
}

function teamIds(spot: Spot): readonly string[] {
  const teams = spot.valueAt(['teams']);
  return isObject(teams) ? Object.keys(teams) : [];
}

/** The value inserted with a JSON Schema keyword. */
function keywordDraft(name: string, schema: JsonObject, isRoot: boolean): Draft {
  switch (name) {
    case 'type':
      return isRoot ? json('object') : choice(jsonSchemaTypes);
    case 'enum':
    case 'required':
      return list(text());
    case 'additionalProperties':
      return json(false);
    case 'properties':
      return object([text('field'), object(['type', choice(jsonSchemaTypes)])]);
    case '$ref':
      return text('#/$defs/');
    case 'const':
    case 'default':
      return text();
    case 'items':
      return object(['type', choice(jsonSchemaTypes)]);
    case 'anyOf':
    case 'oneOf':
    case 'allOf':
    case 'prefixItems':
      return list(object(['type', choice(jsonSchemaTypes)]));
    default:
      return schemaDraft(schema);
  }
}
