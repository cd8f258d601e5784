import { casesIn } from '../../config/caseParts.js';
import { rulesIn, teamsIn } from '../../config/orchestrationParts.js';
import { isObject, type Json } from '../../json.js';

/** All fields that the context of an orchestration may end up with: its own, those of the cases, and those that its rules set. */
export function contextFieldsOf(orchestration: Json, payload: Json | undefined): ReadonlySet<string> {
  const fields = new Set<string>();
  const add = (context: Json | undefined) => {
    for (const key of isObject(context) ? Object.keys(context) : []) fields.add(key.split('.', 1)[0] ?? '');
  };
  if (isObject(orchestration)) add(orchestration.context);
  for (const { value } of casesIn(payload)) add(value.context ?? value.input);
  for (const { value } of teamsIn(orchestration).flatMap(rulesIn)) add(value.context_updates);
  return fields;
}
