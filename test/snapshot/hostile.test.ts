// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these configs hold placeholders.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../core/json.js';
import { createSnapshot } from '../../core/snapshot/createSnapshot.js';
import { verifySnapshot } from '../../core/snapshot/verifySnapshot.js';
import { type Files, resolve, sha256 } from './support.js';

const keys = fc.constantFrom(
  ...[
    'agent_name',
    'version',
    'agent_type',
    'mode',
    'persona_key',
    'system_text',
    'prompts',
    'system_prompt',
    'system_prompt_version',
    'few_shot_examples',
  ],
  ...[
    'output_schema',
    'enums',
    'llm_config_id',
    'provider',
    'model_name',
    'temperature',
    'budget',
    'max_cost',
    'tracing',
    'enabled',
    'default_system_prompt',
  ],
  ...[
    'agent_defaults',
    'persona_defaults',
    'agents',
    'llms',
    'A',
    'm',
    'p',
    'api_key',
    'options',
    'price',
    'input',
    'output',
    'template',
    'llm_id',
  ],
  ...['__proto__', 'constructor', 'hasOwnProperty', 'length', '', '0', 'a/b', '~'],
);
const scalars = fc.constantFrom<Json>(
  null,
  true,
  0,
  -1,
  1e308,
  '',
  'm',
  'p',
  'A@v1',
  'react',
  'Chooser',
  '${A}',
  '${B:-m}',
  '${',
  'secret://x',
  '\ud800',
);
const hostile = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'medium' },
    scalars,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(keys, tie('value')), { maxLength: 8 }).map((entries) => Object.fromEntries(entries) as Json),
  ),
})).value;
const object = fc.array(fc.tuple(keys, hostile), { maxLength: 12 }).map((entries) => Object.fromEntries(entries) as Json);

describe('any files and calls', () => {
  test('layering never throws, what comes out has the types it promises, and can be frozen and read again', () => {
    fc.assert(
      fc.property(
        object,
        object,
        object,
        object,
        object,
        object,
        hostile,
        fc.constantFrom(undefined, 'm', 'nobody', '__proto__'),
        (agent, system, environment, llm, persona, prompt, config, override) => {
          const files: Files = {
            'agents/A/v1': agent,
            system,
            'environments/dev': environment,
            'llms/m': llm,
            'personas/p': persona,
            'prompts/A/v1': prompt,
          };
          const resolved = resolve({
            files,
            variables: { A: 'p' },
            overrides: { config: config as never, ...(override !== undefined && { llm: override }) },
          });
          const { config: effective, llm: connection } = resolved;
          expect(['single_shot', 'react', 'orchestrating']).toContain(effective.agent_type);
          for (const text of [effective.agent_name, effective.version, effective.tool_protocol, connection.provider])
            expect(typeof text).toBe('string');
          for (const number of [effective.max_iterations, effective.timeout_ms, effective.retry_attempts, connection.request_timeout_ms])
            expect(typeof number).toBe('number');
          expect(effective.tracing).toEqual({ enabled: expect.any(Boolean), sample_rate: expect.any(Number) });
          expect(resolved.origins.size).toBeGreaterThan(0);
          for (const { message, file, pointer } of resolved.problems)
            expect([
              typeof message,
              file === null || files[file.slice('config/'.length, -'.json'.length)] !== undefined,
              pointer === '' || pointer.startsWith('/'),
            ]).toEqual(['string', true, true]);
          if (resolved.problems.some(({ code }) => code === 'secret-in-plain-text')) return;
          const { text, hash, origins_text } = createSnapshot({ kind: 'agent', resolved, sha256 });
          expect(verifySnapshot(text, hash, sha256)).toMatchObject({ ok: true });
          expect(JSON.parse(origins_text)).toBeTypeOf('object');
        },
      ),
      { numRuns: 400 },
    );
  }, 60_000);

  test('thousands of wrong values in a persona are reported in reasonable time', () => {
    const begun = performance.now();
    const { problems } = resolve({
      files: {
        'agents/A/v1': { agent_name: 'A', version: 'v1', persona_key: 'p' },
        'personas/p': { input_keys: Array.from({ length: 20_000 }, () => 0) },
      },
    });
    expect(problems.filter(({ file }) => file === 'config/personas/p.json').length).toBeGreaterThan(0);
    expect(performance.now() - begun).toBeLessThan(20_000);
  });
});
