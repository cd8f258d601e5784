import { type Json, pointerOf, valueAt } from '../../core/json.js';
import type { FileView } from '../names/fileView.js';
import { optionsProvider } from '../names/optionsProvider.js';
import { preview } from '../preview.js';
import { type FieldDocs, fieldDocs, optionsOf, schemaIdOf } from '../schemaDocs.js';
import { type Block, line, type Part } from './hoverText.js';
import { codes } from './modelWords.js';

/** A field's documentation: meaning, type, default, limits, and the schema it comes from. */
export function fieldWords(view: FileView, path: readonly (string | number)[], page: string | undefined): readonly Block[] {
  const { file, value, project } = view;
  const { kind } = file.identity;
  const provider = optionsProvider(file.identity, path, (at) => valueAt(value, pointerOf(...at)), project);
  const docs = fieldDocs(kind, path, provider);
  if (docs === undefined || docs.name === '') return [];
  const facts = factsOf(docs);
  const schema = schemaIdOf(kind).replace(/^.*:/, '');
  const options = path.at(-1) === 'options' ? undefined : optionsOf(provider);
  const source: Part[] = [options?.source ?? (page === undefined ? schema : { link: schema, href: page })];
  return [
    line({ strong: nameOf(path) }, ...typeWords(docs)),
    ...(docs.description === '' ? [] : [line(docs.description)]),
    ...(facts.length === 0 ? [] : [line(...facts)]),
    line('Source: ', ...source),
  ];
}

/** `temperature`; of an item the list that it is in: `rules[0]`. */
function nameOf(path: readonly (string | number)[]): string {
  const list = path.findLastIndex((segment) => typeof segment === 'string');
  return path
    .slice(Math.max(list, 0))
    .reduce<string>((name, segment) => (typeof segment === 'number' ? `${name}[${segment}]` : segment), '');
}

function typeWords({ types, required, values }: FieldDocs): readonly Part[] {
  const words = [...(values === undefined ? types : []), ...(required ? ['required'] : [])];
  return words.length === 0 ? [] : [`: ${words.join(', ')}`];
}

function factsOf({ values, default: fallback, minimum, maximum }: FieldDocs): readonly Part[] {
  const facts: Part[][] = [];
  if (values !== undefined && values.length > 0) facts.push(['One of ', ...codes(values.map(shownValue))]);
  if (fallback !== undefined) facts.push(['Default ', { code: shownValue(fallback) }]);
  if (minimum !== undefined && maximum !== undefined) facts.push([`From ${minimum} to ${maximum}`]);
  else if (minimum !== undefined) facts.push([`At least ${minimum}`]);
  else if (maximum !== undefined) facts.push([`At most ${maximum}`]);
  return facts.flatMap((fact, index) => (index === 0 ? fact : ['. ', ...fact])).concat(facts.length === 0 ? [] : ['.']);
}

/** A value as JSON in one short line, with secrets masked. */
export function shownValue(value: Json): string {
  return preview(JSON.stringify(value), 60);
}
