import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtInProviderNames } from '../../core/builtInProviders.js';
import { providerOptions } from '../../core/generated/providerOptions.js';
import { isObject, type Json, type JsonObject, listOf } from '../../core/json.js';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The types of each vendor's SDK. */
const sdks: Readonly<Record<string, readonly string[]>> = {
  openai: [
    'openai/resources/chat/completions/completions.d.ts',
    'openai/resources/responses/responses.d.ts',
    'openai/resources/shared.d.ts',
  ],
  anthropic: ['@anthropic-ai/sdk/resources/messages/messages.d.ts'],
  gemini: ['@google/genai/dist/genai.d.ts'],
};
/** Ours: what no request has as it is. */
const ours = ['api', 'api_version', 'betas', 'delay_ms_per_chunk'];

/** Every option with its schema, however deep. */
function* optionsIn(schema: JsonObject): Generator<readonly [name: string, schema: JsonObject]> {
  for (const part of [schema.then, schema.else, schema.items]) if (isObject(part)) yield* optionsIn(part);
  for (const [name, option] of Object.entries(isObject(schema.properties) ? schema.properties : {})) {
    if (!isObject(option)) continue;
    yield [name, option];
    yield* optionsIn(option);
  }
}

function wordsOf(schema: JsonObject): readonly Json[] {
  return [
    ...listOf(schema.enum),
    ...(schema.const === undefined ? [] : [schema.const]),
    ...listOf(schema.anyOf).flatMap((part) => (isObject(part) ? wordsOf(part) : [])),
  ];
}

test('every provider but that of VS Code, which takes any, has options', () => {
  expect(providerOptions.map(({ name }) => name).sort()).toEqual(builtInProviderNames.filter((name) => name !== 'vscode').sort());
});

test.each(providerOptions)('the options of $name are described, and its SDK knows their names and values', ({ name, schema }) => {
  const files = sdks[name.includes('openai') ? 'openai' : name] ?? [];
  const types = files.map((file) => read(`node_modules/${file}`)).join('\n');
  for (const [option, part] of optionsIn(schema)) {
    expect(part.description, option).toMatch(/^[A-Z`].*[.)]$/);
    if (files.length === 0 || ours.includes(option)) continue;
    expect(types, option).toMatch(new RegExp(`^\\s+(?:readonly )?${option}\\??:`, 'm'));
    for (const word of wordsOf(part)) if (word !== 'none') expect(types, `${option}: ${word}`).toMatch(new RegExp(`['"]${word}['"]`));
  }
});

test('the options that the documentation of providers names are known', () => {
  const known = new Set(providerOptions.flatMap(({ schema }) => [...optionsIn(schema)].map(([name]) => name)));
  const text = `${read('docs/providers.md')}\n${read('docs/caching.md')}`;
  const named = [...text.matchAll(/options\.(\w+)/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(5);
  expect([...new Set(named)].filter((name) => !known.has(name))).toEqual([]);
});
