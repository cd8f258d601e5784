import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { literalText } from '../../core/import/draft.js';
import { ImportError } from '../../core/import/importError.js';
import type { Json } from '../../core/json.js';
import { isLegalName } from '../../core/kinds.js';
import { importers } from '../../core/otherTools/index.js';
import { cleanName, cleanPartName } from '../../core/otherTools/values.js';
import { expandPlaceholders } from '../../core/snapshot/placeholders.js';
import { fixture, fixtureNames, importInto } from './support.js';

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ maxLength: 200 }),
  fc.constantFrom('con', '..', 'nul.txt', 'ä ö', '💥', 'COM1.json'),
);

test('every text becomes a legal name, and a legal name stays', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const name = cleanName(text, 'agent');
      expect(isLegalName(name)).toBe(true);
      expect(cleanName(name, 'agent')).toBe(name);
      const part = cleanPartName(text, 'task');
      expect(isLegalName(part) && !part.includes('.')).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test('a literal text is sent as it was, whatever variables there are', () => {
  const text = fc
    .array(fc.constantFrom('${HOME}', '${A:-b}', '$', '{', '}', '${', 'x', '${A:-', '$$', '\n'))
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (written) => {
      expect(expandPlaceholders(literalText(written), { get: (name) => (name === 'DOLLAR' ? undefined : 'set') }).text).toBe(written);
    }),
    { numRuns: 2000 },
  );
});

/** Keys that importers look for, with values of any kind. */
const keys = fc.constantFrom(
  ...[
    'name',
    'type',
    'prompt',
    'prompts',
    'system',
    'tools',
    'mcpServers',
    'mcp',
    'agent',
    'agents',
    'tasks',
    'role',
    'goal',
    'backstory',
    'llm',
    'model',
  ],
  ...[
    'orchestration',
    'teams',
    'entry_team',
    'routing',
    'rules',
    'condition',
    'persona_key',
    'config',
    'pipeline_map',
    'models',
    'required',
    'chat_model',
  ],
  ...[
    'llm_id',
    'provider',
    'api_key',
    'system_prompt',
    'client_ids',
    'skills',
    'supportedInterfaces',
    'description',
    'expected_output',
    'context',
    'steps',
  ],
  ...['behavior', 'enabledTools', 'tracing', 'llm_config', 'personas', 'providers', 'inputs', 'settings', '__proto__', 'constructor', ''],
);
const { json } = fc.letrec<{ json: Json; object: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<Json>(
      null,
      true,
      0,
      -1,
      1e300,
      '',
      'agent',
      'llm',
      'openai/gpt-5.5',
      'file://x.md',
      '${X}',
      '@a/b',
      '*',
      'A\u202e',
      '{topic}',
    ),
    tie('object'),
    fc.array(tie('json') as fc.Arbitrary<Json>, { maxLength: 3 }) as fc.Arbitrary<Json>,
  ) as fc.Arbitrary<Json>,
  object: fc
    .array(fc.tuple(keys, tie('json') as fc.Arbitrary<Json>), { maxLength: 6 })
    .map((entries) => Object.fromEntries(entries) as Json),
}));

/** Whatever a file holds, an import ends with a plan whose files check without errors of the schema, or says why not. */
async function importsOrRefuses(path: string, text: string, from: string): Promise<void> {
  try {
    const { plan, findings } = await importInto({ [path]: text }, { entry: path, from });
    for (const file of plan.files)
      expect(file.path).toMatch(
        /^config\/(?:(?:agents|prompts)\/[\w.-]+\/[\w.-]+|(?:llms|personas|orchestrations)\/[\w.-]+|system|mcp)\.json$/,
      );
    expect(
      findings.filter(
        ({ code, file }) =>
          ['schema', 'foreign-name', 'foreign-file', 'json-syntax'].includes(code) && plan.files.some(({ path: own }) => own === file),
      ),
    ).toEqual([]);
  } catch (error) {
    expect(error).toBeInstanceOf(ImportError);
  }
}

test.each(importers.map(({ id }) => id))('%s reads any JSON and YAML without an error of its own', async (from) => {
  await fc.assert(
    fc.asyncProperty(json, fc.boolean(), (value, isYaml) =>
      importsOrRefuses(isYaml ? 'x.yaml' : 'x.json', isYaml ? stringify(value) : JSON.stringify(value), from),
    ),
    { numRuns: 60 },
  );
});

test('a real file with any value in any place is imported or refused', async () => {
  const sources = fixtureNames.flatMap((name) =>
    Object.entries(fixture(name)).filter(([path]) => /\.json$/.test(path) && !path.startsWith('.mcp')),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...sources), fc.nat(), json, ([, text], at, value) => {
      let seen = 0;
      const whole = JSON.parse(text, (_, part) => part);
      const count = JSON.stringify(whole).split(':').length;
      const changed = JSON.parse(text, (_, part) => (seen++ === at % count ? value : part));
      return importsOrRefuses('x.json', JSON.stringify(changed), importers[at % importers.length]?.id ?? 'kiro');
    }),
    { numRuns: 150 },
  );
});
