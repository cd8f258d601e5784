// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these configs hold placeholders.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../core/json.js';
import { canonicalJson } from '../../core/snapshot/canonicalJson.js';
import { createSnapshot, type Snapshot } from '../../core/snapshot/createSnapshot.js';
import type { ResolvedAgent } from '../../core/snapshot/types.js';
import { verifySnapshot } from '../../core/snapshot/verifySnapshot.js';
import { minimal, resolve, type Scenario, sha256 } from './support.js';

/** A plain object of what is behind its getters, too. */
function describeResolved(resolved: ResolvedAgent): ResolvedAgent {
  const { origins, llm_origins, sources, layers } = resolved;
  return { ...resolved, origins, llm_origins, layers, ...(sources && { sources }) };
}

const freeze = (scenario: Scenario): Snapshot => createSnapshot({ kind: 'agent', resolved: resolve(scenario), sha256 });

const files = {
  'agents/A/v1': {
    ...minimal,
    llm_config_id: 'm',
    prompts: { system_prompt_version: 'v1' },
    enums: { tone: ['b', 'a'] },
    defaults: { tone: 'a' },
  },
  'llms/m': { llm_id: 'm', model_name: 'x', api_key: 'secret://key', options: { z: 1, a: 2 } },
  'llms/unused': { llm_id: 'unused', model_name: 'y' },
  'prompts/A/v1': { name: 'A', version: 'v1', template: 'T', few_shot_examples: [{ input: { q: 1 }, output: { tone: 'a' } }] },
};

describe('a snapshot', () => {
  test('of an agent that only knows the origins of its leaves is the same, and so is its origins file', () => {
    const { sources, ...rest } = describeResolved(resolve({ files }));
    expect(sources).toBeDefined();
    const again = createSnapshot({ kind: 'agent', resolved: rest, sha256 });
    expect([again.text, again.origins_text]).toEqual([freeze({ files }).text, freeze({ files }).origins_text]);
  });

  test('holds what the run uses, and nothing else', () =>
    expect(JSON.parse(freeze({ files }).text)).toEqual({
      format: 1,
      kind: 'agent',
      name: 'A',
      version: 'v1',
      environment: 'dev',
      agents: {
        A: {
          ...files['agents/A/v1'],
          agent_type: 'single_shot',
          template: 'T',
          few_shot_examples: [{ input: { q: 1 }, output: { tone: 'a' } }],
          provider: 'openai',
          model_name: 'x',
          temperature: 0,
          tool_protocol: 'native',
          max_iterations: 10,
          timeout_ms: 30000,
          retry_attempts: 3,
          include_history: false,
          tracing: { enabled: true, sample_rate: 1 },
        },
      },
      llms: {
        m: {
          llm_id: 'm',
          provider: 'openai',
          api_key: 'secret://key',
          request_timeout_ms: 60000,
          retry_attempts: 3,
          options: { z: 1, a: 2 },
        },
      },
      servers: {},
      key_order: { '/llms/m/options': ['z', 'a'] },
    }));

  test('is canonical JSON, named by the hash of its bytes', () => {
    const { text, hash } = freeze({ files });
    expect(text).toBe(canonicalJson(JSON.parse(text) as Json));
    expect(hash).toBe(sha256(text));
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
  });

  test('has the same bytes on every machine and in every version that keeps the format', () =>
    // Computed by another program from the value above.
    expect(freeze({ files }).hash).toBe('a6e07cc58d79c67728ecc8ed81b36ad96dc87c8c34f04c8cd0886f4846450da6'));

  test('is the same for every caller, and with any other files', () => {
    const { hash } = freeze({ files });
    expect(freeze({ files: Object.fromEntries(Object.entries(files).toReversed()) as never }).hash).toBe(hash);
    expect(
      freeze({ files: { ...files, 'llms/new': { llm_id: 'new' }, 'personas/q': {} } as never, variables: { ANY: 'thing' } }).hash,
    ).toBe(hash);
  });

  test.each<[string, Partial<Scenario>]>([
    ['a value', { files: { ...files, 'llms/m': { ...files['llms/m'], model_name: 'z' } } as never }],
    ['the template', { files: { ...files, 'prompts/A/v1': { ...files['prompts/A/v1'], template: 'U' } } as never }],
    ['an example', { files: { ...files, 'prompts/A/v1': { ...files['prompts/A/v1'], few_shot_examples: [] } } as never }],
    ['an override', { overrides: { config: { temperature: 1 } } }],
    ['the environment', { environment: 'prod' }],
    [
      'the order of the fields that a prompt lists',
      {
        files: {
          ...files,
          'agents/A/v1': { ...files['agents/A/v1'], output_schema: { type: 'object', properties: { b: {}, a: {} } } },
        } as never,
      },
    ],
  ])('changes its name with %s', (_, change) => expect(freeze({ files, ...change }).hash).not.toBe(freeze({ files }).hash));

  test('of an agent without a profile keeps its settings under the name of the agent', () =>
    expect(Object.keys(freeze({ files: { 'agents/A/v1': { ...minimal, model_name: 'x' } } }).value.llms)).toEqual(['@A']));

  test('says where every value came from, in paths of the project', () => {
    const origins = JSON.parse(freeze({ files }).origins_text) as Record<string, unknown>;
    expect(origins['/name']).toEqual({ file: 'config/agents/A/v1.json', pointer: '/agent_name', layer: 'agent' });
    expect(origins['/agents/A/template']).toEqual({ file: 'config/prompts/A/v1.json', pointer: '/template', layer: 'agent' });
    expect(origins['/agents/A/enums/tone/1']).toEqual({ file: 'config/agents/A/v1.json', pointer: '/enums/tone/1', layer: 'agent' });
    expect(origins['/agents/A/timeout_ms']).toEqual({ file: null, pointer: '/timeout_ms', layer: 'default' });
    expect(origins['/llms/m/options/z']).toEqual({ file: 'config/llms/m.json', pointer: '/options/z', layer: 'llm' });
    expect(origins['/servers']).toEqual({ file: null, pointer: '/servers', layer: 'default' });
  });

  test('is refused when the config holds a secret', () =>
    expect(() =>
      freeze({
        files: { 'agents/A/v1': { ...minimal, model_name: 'x', purpose_text: '${K}' } },
        variables: { K: `sk-proj-${'a1B2c3D4'.repeat(6)}` },
      }),
    ).toThrow('secret'));

  test('holds no secret that is used by reference, in no byte', () => {
    const secret = fc.string({ unit: fc.constantFrom(...'abcdefghijABCDEFGHIJ0123456789'), minLength: 24, maxLength: 48 });
    fc.assert(
      fc.property(secret, secret, (key, token) => {
        const variables = { KEY: key, SERVICE_TOKEN: token };
        const { text, origins_text } = freeze({
          files: {
            'agents/A/v1': { ...minimal, llm_config_id: 'm', purpose_text: 'as ${USER_NAME:-nobody}' },
            'llms/m': {
              llm_id: 'm',
              model_name: 'x',
              api_key: 'secret://key',
              options: { headers: { authorization: 'secret://service_token' } },
            },
          },
          variables,
        });
        expect(text + origins_text).not.toContain(key);
        expect(text + origins_text).not.toContain(token);
      }),
    );
  });
});

describe('verifying a snapshot', () => {
  const { text, hash } = freeze({ files });
  const check = (other: string, name = sha256(other)) => verifySnapshot(other, name, sha256);

  test('accepts what was written, frozen and in the written order', () => {
    const verified = check(text, hash);
    expect(verified).toMatchObject({ ok: true, value: { agents: { A: { template: 'T' } } } });
    if (!verified.ok) return;
    expect(Object.keys(verified.value.llms.m?.options ?? {})).toEqual(['z', 'a']);
    expect(Object.isFrozen(verified.value.agents.A?.output_schema)).toBe(true);
  });

  test.each([
    ['a changed byte', text.replace('"x"', '"y"'), hash, 'changed after it was written'],
    ['a text that is not JSON', '{', undefined, 'not JSON'],
    ['white space', `${text}\n`, undefined, 'not canonical'],
    ['another order of keys', '{"b":1,"a":2}', undefined, 'not canonical'],
    ['a later format', canonicalJson({ ...(JSON.parse(text) as object), format: 2 } as never), undefined, 'format 2'],
    ['something else', '{"format":1}', undefined, 'not one of an agent'],
    ['a list', '[]', undefined, 'not canonical'],
  ])('refuses %s', (_, other, name, message) =>
    expect(check(other, name ?? sha256(other))).toMatchObject({ ok: false, message: expect.stringContaining(message) }),
  );
});
