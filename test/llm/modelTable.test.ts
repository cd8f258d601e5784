import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createModelTable } from '../../core/llm/modelTable.js';
import { refusedParameters } from '../../core/llm/refusedParameters.js';
import { modelFactsTable } from '../../scripts/modelFacts.mjs';

const table = createModelTable();

test('the table is what the installed packages and the supplement say', () => {
  expect(readFileSync(new URL('../../core/llm/modelFacts/table.ts', import.meta.url), 'utf8')).toBe(modelFactsTable());
});

test('knows window, output limit and prices of a model, with their source and date', () => {
  expect(table.find('gpt-4.1-mini')).toMatchObject({
    name: 'gpt-4.1-mini',
    provider: 'openai',
    context_window: 1_047_576,
    max_output_tokens: 32_768,
    unsupported: [],
    price: { input: 0.4, output: 1.6, cached_input: 0.1 },
    source: expect.stringMatching(/gpt-tokenizer 4\.0\.0, 2026-08-16/),
  });
});

test.each([
  ['gpt-4.1-mini-2025-04-14', 'openai', 'gpt-4.1-mini'],
  ['ft:gpt-4.1-mini-2025-04-14:personal:a2-promptshaper-v1:XXXX', 'openai', 'gpt-4.1-mini'],
  ['ft:gpt-4.1-mini:org', 'openai', 'gpt-4.1-mini'],
  ['gpt-5.4-2031-01-01', 'openai', 'gpt-5.4'],
  ['o3', 'azure_openai', 'o3'],
  ['claude-sonnet-4-5-20250929', 'anthropic', 'claude-sonnet-4-5'],
  ['claude-3-5-haiku-latest', 'anthropic', 'claude-3-5-haiku'],
  ['gemini-2.0-flash-001', 'gemini', 'gemini-2.0-flash'],
  ['models/gemini-2.5-pro', 'gemini', 'gemini-2.5-pro'],
])('finds %s of %s as %s', (name, provider, found) => {
  expect(table.find(name, provider)?.name).toBe(found);
});

test('keeps a dated model apart where its facts differ from the base', () => {
  expect(table.find('gpt-4o-2024-05-13')).toMatchObject({ name: 'gpt-4o-2024-05-13', max_output_tokens: 4096 });
  expect(table.find('gpt-4o-2024-08-06')).toMatchObject({ name: 'gpt-4o', max_output_tokens: 16_384 });
});

test.each(['gpt-9', 'constructor', '__proto__', '', 'ft:', 'ft:nobody:org', '-latest'])('does not know %j', (name) => {
  expect(table.find(name)).toBeUndefined();
});

test.each(['openai_compatible', 'offline', 'vscode', 'anthropic', 'constructor'])(
  'says nothing of gpt-4o at the provider %s',
  (provider) => {
    expect(table.find('gpt-4o', provider)).toBeUndefined();
  },
);

test('a fine-tuned model never has the price of its base', () => {
  expect(table.find('ft:gpt-4o-2024-08-06:org::1')?.price).toEqual({ input: 3.75, output: 15 });
  expect(table.find('ft:gpt-4.1-mini-2025-04-14:org::1')).not.toHaveProperty('price');
});

test('knows which models refuse a temperature, and which of them take it without reasoning', () => {
  const refused = (name: string, effort?: string) => refusedParameters(table.find(name), effort ? { reasoning_effort: effort } : undefined);
  expect(refused('o3-mini')).toEqual(['temperature', 'top_p']);
  expect(refused('o3-mini', 'none')).toEqual(['temperature', 'top_p']);
  expect(refused('gpt-5-mini')).toEqual(['temperature', 'top_p']);
  expect(refused('gpt-6-luna')).toEqual(['temperature', 'top_p']);
  expect(refused('gpt-6-luna', 'none')).toEqual([]);
  expect(refused('gpt-4.1-mini')).toEqual([]);
  expect(refused('nobody')).toEqual([]);
  expect(refusedParameters(table.find('claude-opus-5', 'anthropic'))).toEqual(['temperature', 'top_p']);
});

test('knows when a model ends, what its provider names in its place, and who says so', () => {
  expect(table.find('gpt-5-mini')).toMatchObject({
    ends: '2026-12-11',
    successor: 'gpt-6.1-terra',
    ends_source: 'https://developers.openai.com/api/docs/deprecations',
    read: '2026-11-27',
  });
  expect(table.find('ft:gpt-4o-mini-2024-07-18:org::1')).toMatchObject({ ends: '2027-01-14', successor: 'gpt-6-luna' });
  expect(table.find('gpt-4o-2024-05-13')).toMatchObject({ ends: '2026-10-23', successor: 'gpt-5.6-sol' });
  expect(table.find('claude-3-opus-20240229', 'anthropic')?.ends).toBe('2026-01-05');
  expect(table.find('gemini-2.5-pro', 'gemini')).toMatchObject({ ends: '2026-12-01', successor: 'gemini-3.8-flash', rerouted: true });
  // Only the SDK gives this day, and it names no successor.
  expect(table.find('gpt-5.1')).toMatchObject({ ends: '2027-04-01', ends_source: expect.stringMatching(/^openai@/), read: '2026-11-13' });
  expect(table.find('gpt-5.1')).not.toHaveProperty('successor');
  for (const fact of ['ends', 'successor', 'deprecated', 'read']) expect(table.find('gpt-6-luna')).not.toHaveProperty(fact);
});

test('takes over no end from the provider of a model that another one hosts', () => {
  expect(table.find('gpt-4o-mini', 'azure_openai')).toMatchObject({ context_window: 128_000 });
  expect(table.find('gpt-4o-mini', 'azure_openai')).not.toHaveProperty('ends');
});

test('a day and a successor of agentstack.json count more than those of the table, and can be taken back', () => {
  const own = createModelTable({
    'gpt-4o': { ends: '2027-03-01' },
    'gpt-4o-mini': { successor: 'gpt-5.4-mini' },
    'gpt-4.1': { deprecated: false },
    'gemini-2.5-pro': { ends: '2027-03-01' },
    mine: { ends: '2026-12-31', successor: 'yours' },
  });
  expect(own.find('gpt-4o')).toMatchObject({ ends: '2027-03-01', successor: 'gpt-6-luna', ends_source: 'agentstack.json' });
  expect(own.find('gpt-4o')).not.toHaveProperty('read');
  expect(own.find('gpt-4o-mini')).toMatchObject({ ends: '2027-01-14', successor: 'gpt-5.4-mini', read: expect.any(String) });
  for (const fact of ['ends', 'successor', 'ends_source', 'read']) expect(own.find('gpt-4.1')).not.toHaveProperty(fact);
  expect(own.find('gemini-2.5-pro', 'gemini')).not.toHaveProperty('rerouted');
  expect(own.find('mine', 'openai_compatible')).toMatchObject({ ends: '2026-12-31', successor: 'yours', ends_source: 'agentstack.json' });
});

test('suggests names that look alike, of the same provider', () => {
  expect(table.nearest('gpt-4.1-mni')).toContain('gpt-4.1-mini');
  expect(table.nearest('gpt4o-mini')[0]).toBe('gpt-4o-mini');
  expect(table.nearest('ft:gpt-4o-mni:org')).toContain('gpt-4o-mini');
  expect(table.nearest('claude-sonet-4-5', 'anthropic')[0]).toBe('claude-sonnet-4-5');
  expect(table.nearest('gpt-4o', 'openai_compatible')).toEqual([]);
});

test('a model of agentstack.json adds to the table, at every provider', () => {
  const own = createModelTable({ 'llama3.2': { context_window: 8192, unsupported: ['top_p'], price: { input: 0, output: 0 } } });
  expect(own.find('llama3.2', 'openai_compatible')).toEqual({
    name: 'llama3.2',
    provider: 'openai_compatible',
    context_window: 8192,
    unsupported: ['top_p'],
    price: { input: 0, output: 0 },
    source: 'agentstack.json',
  });
  expect(own.nearest('llama3.3', 'openai_compatible')).toEqual(['llama3.2']);
});

test('a model of agentstack.json overrides the table fact by fact', () => {
  const own = createModelTable({
    'gpt-4.1-mini': { max_output_tokens: 1000, deprecated: false, price: { input: 1 } },
    'gpt-4.1': { deprecated: 'use gpt-6-luna' },
    o3: { unsupported: [], deprecated: true },
  });
  const mini = own.find('gpt-4.1-mini-2025-04-14');
  expect(mini).toMatchObject({ context_window: 1_047_576, max_output_tokens: 1000, price: { input: 1, output: 1.6, cached_input: 0.1 } });
  expect(mini).not.toHaveProperty('deprecated');
  expect(mini?.source).toMatch(/^agentstack\.json; gpt-tokenizer/);
  expect(own.find('gpt-4.1')?.deprecated).toBe('use gpt-6-luna');
  expect(own.find('o3')).toMatchObject({ unsupported: [], deprecated: 'deprecated' });
});

test('half a price of agentstack.json is no price', () => {
  expect(createModelTable({ mine: { price: { input: 1 } } }).find('mine')).not.toHaveProperty('price');
});

test('is made and asked in no time', () => {
  const started = performance.now();
  for (let run = 0; run < 100; run++) createModelTable().find('ft:gpt-4.1-mini-2025-04-14:org');
  expect((performance.now() - started) / 100).toBeLessThan(20);
});

test('the names of a provider are those of the user and of the table, fine-tuned prices left out', () => {
  const own = createModelTable({ mine: {}, 'gpt-4.1-mini': {} });
  const names = own.names('openai');
  expect(names.slice(0, 2)).toEqual(['mine', 'gpt-4.1-mini']);
  expect(names).toContain('gpt-4.1');
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => name.startsWith('ft:'))).toEqual([]);
  expect(own.names('offline')).toEqual(['mine', 'gpt-4.1-mini']);
});
