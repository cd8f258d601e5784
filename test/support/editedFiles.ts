import fc from 'fast-check';
import { isObject, type Json, type JsonObject } from '../../core/json.js';

/** Config files by project path, as values. */
export type ValueFiles = { readonly [path: string]: JsonObject };

/** One change at one place, a path of keys behind the file's path. */
export type Edit =
  | { readonly kind: 'replace'; readonly path: readonly string[]; readonly value: Json }
  | { readonly kind: 'remove' | 'reverse'; readonly path: readonly string[] }
  | { readonly kind: 'add'; readonly path: readonly string[]; readonly key: string };

const words = ['dry', 'warm', 'x', 'You must choose.', 'A longer text, with {{input.task}}.', 'v1', 'house', 'gpt-4.1-mini', 'triage'];

/** Fields that an edit adds wherever there is an object. */
const fields: JsonObject = {
  description: 'Other words.',
  temperature: 0.7,
  top_p: 0.2,
  max_output_tokens: 77,
  retry_attempts: 2,
  retry_invalid: 0,
  timeout_ms: 9000,
  request_timeout_ms: 8000,
  model_name: 'other',
  default_system_prompt: 'By default.',
  system_text: 'Otherwise.',
  include_history: true,
  mode: 'Writer',
  options: { seed: 4 },
  budget: { max_cost: 1 },
  price: { input: 1, output: 2 },
  tracing: { enabled: false },
  enums: { tone: ['warm', 'dry'] },
  unsupported: ['temperature'],
  $ignore: [],
};

/** Edits of any place in the files. */
export function editsOf(files: ValueFiles): fc.Arbitrary<Edit> {
  const places = placesOf(files as unknown as Json).filter((path) => path.length > 1);
  return fc.oneof(
    fc.record({
      kind: fc.constant('replace' as const),
      path: fc.constantFrom(...places),
      value: fc.oneof(fc.constantFrom(...words), fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(500), fc.boolean()),
    }),
    fc.record({ kind: fc.constantFrom('remove' as const, 'reverse' as const), path: fc.constantFrom(...places) }),
    fc.record({ kind: fc.constant('add' as const), path: fc.constantFrom(...places), key: fc.constantFrom(...Object.keys(fields)) }),
  );
}

/** The files after an edit; what does not fit its place changes nothing. */
export function editedFiles(files: ValueFiles, edit: Edit): ValueFiles {
  return edited(files as unknown as Json, edit) as unknown as ValueFiles;
}

/** Every place below a value. */
function placesOf(value: Json, path: readonly string[] = []): readonly (readonly string[])[] {
  const members = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  return [path, ...members.flatMap(([key, member]) => placesOf(member as Json, [...path, String(key)]))];
}

function edited(value: Json, edit: Edit, depth = 0): Json {
  const key = edit.path[depth];
  if (key === undefined) {
    if (edit.kind === 'replace') return typeof edit.value === typeof value ? edit.value : value;
    if (edit.kind === 'reverse' && Array.isArray(value)) return [...value].reverse();
    if (edit.kind === 'reverse' && isObject(value)) return Object.fromEntries(Object.entries(value).reverse());
    if (edit.kind === 'add' && isObject(value)) return { ...value, [edit.key]: fields[edit.key] as Json };
    return value;
  }
  const isRemoved = edit.kind === 'remove' && depth === edit.path.length - 1;
  if (Array.isArray(value))
    return value.flatMap((member, index) => (String(index) !== key ? [member] : isRemoved ? [] : [edited(member, edit, depth + 1)]));
  if (!isObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, member]): [string, Json][] =>
    name !== key ? [[name, member as Json]] : isRemoved ? [] : [[name, edited(member as Json, edit, depth + 1)]],
  );
  return Object.fromEntries(members);
}
