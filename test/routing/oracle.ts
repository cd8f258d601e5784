import type { Json, JsonObject } from '../../core/json.js';

/*
 * An answer to the prover's questions that shares nothing with it: every output a small schema allows, every context of a
 * small universe, every way a task can end, and CONFIG.md's conditions read once more.
 */

export interface Scenario {
  /** Output by task; undefined for a task that failed. */
  readonly outputs: { readonly [task: string]: JsonObject | undefined };
  readonly context: JsonObject;
}

/** All values of a small closed schema. */
export function valuesOf(schema: JsonObject): readonly Json[] {
  if (schema.enum !== undefined) return schema.enum as readonly Json[];
  switch (schema.type) {
    case 'boolean':
      return [true, false];
    case 'integer': {
      const [low, high] = [schema.minimum as number, schema.maximum as number];
      const step = (schema.multipleOf as number | undefined) ?? 1;
      return Array.from({ length: high - low + 1 }, (_, index) => low + index).filter((number) => number % step === 0);
    }
    case 'number': {
      // Quarters tell all numbers apart, since conditions speak of halves.
      const [low, high] = [schema.minimum as number, (schema.maximum ?? schema.exclusiveMaximum) as number];
      const grid = Array.from({ length: (high - low) * 4 + 1 }, (_, index) => low + index / 4);
      return grid.filter((number) => number !== schema.exclusiveMaximum);
    }
    case 'array': {
      const items = valuesOf(schema.items as JsonObject);
      let lists: Json[][] = [[]];
      const all: Json[][] = [[]];
      for (let length = 1; length <= (schema.maxItems as number); length++) {
        lists = lists.flatMap((list) => items.map((item) => [...list, item]));
        all.push(...lists);
      }
      return all.filter((list) => list.length >= ((schema.minItems as number | undefined) ?? 0));
    }
    default: {
      const required = schema.required as readonly string[];
      let objects: JsonObject[] = [{}];
      for (const [key, inner] of Object.entries(schema.properties as JsonObject)) {
        const filled = objects.flatMap((object) => valuesOf(inner as JsonObject).map((value) => ({ ...object, [key]: value })));
        objects = required.includes(key) ? filled : [...objects, ...filled];
      }
      return objects;
    }
  }
}

export function scenarios(schemas: { readonly [task: string]: JsonObject }, contexts: readonly JsonObject[]): readonly Scenario[] {
  let all: Scenario[] = contexts.map((context) => ({ outputs: {}, context }));
  for (const [task, schema] of Object.entries(schemas)) {
    const outputs = [undefined, ...(valuesOf(schema) as readonly JsonObject[])];
    all = all.flatMap((one) => outputs.map((output) => ({ ...one, outputs: { ...one.outputs, [task]: output } })));
  }
  return all;
}

export function isTrue(condition: Json, scenario: Scenario): boolean {
  if (Array.isArray(condition)) return !condition.some((part) => !isTrue(part, scenario));
  const one = condition as { readonly [key: string]: Json };
  if (one.any) return !(one.any as Json[]).every((part) => !isTrue(part, scenario));
  if (one.not) return !isTrue(one.not, scenario);
  const output = scenario.outputs[one.task as string];
  if (one.status) return (one.status === 'success') === (output !== undefined);
  let field: unknown = one.context_field ? scenario.context : output;
  for (const key of ((one.context_field ?? one.output_field) as string).split('.')) {
    const isPlace = !Array.isArray(field) || /^\d$/.test(key);
    field = typeof field === 'object' && field !== null && isPlace ? (field as { [key: string]: unknown })[key] : undefined;
  }
  return compare(field, one.operator as string, one.value);
}

function compare(field: unknown, operator: string, value: unknown): boolean {
  const text = JSON.stringify(field);
  const holds = () =>
    typeof field === 'string'
      ? typeof value === 'string' && field.includes(value)
      : (field as Json[]).map((item) => JSON.stringify(item)).includes(JSON.stringify(value));
  switch (operator) {
    case 'equals':
      return text === JSON.stringify(value);
    case 'not_equals':
      return text !== JSON.stringify(value);
    case 'in':
      return (value as Json[]).some((item) => JSON.stringify(item) === text);
    case 'exists':
      return field !== undefined;
    case 'is_empty':
      return [undefined, 'null', '""', '[]', '{}'].includes(text);
    case 'greater_than':
      return typeof field === 'number' && field > (value as number);
    case 'less_than':
      return typeof field === 'number' && field < (value as number);
    case 'contains':
      return (typeof field === 'string' || Array.isArray(field)) && holds();
    case 'not_contains':
      return (typeof field === 'string' || Array.isArray(field)) && !holds();
    default:
      throw new Error(`The oracle does not know ${operator}.`);
  }
}
