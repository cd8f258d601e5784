// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these configs hold placeholders.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isObject, type Json, type JsonObject, valueAt } from '../../core/json.js';
import { canonicalJson } from '../../core/snapshot/canonicalJson.js';
import { createSnapshot } from '../../core/snapshot/createSnapshot.js';
import type { Origin } from '../../core/snapshot/effective.js';
import { forEachLeaf } from '../../core/snapshot/origins.js';
import { resolveOrchestration } from '../../core/snapshot/resolveOrchestration.js';
import type { CallOverrides } from '../../core/snapshot/types.js';
import { verifySnapshot } from '../../core/snapshot/verifySnapshot.js';
import { type Files, indexOf, minimal, sha256 } from './support.js';

const persona = { mode: 'Writer', system_text: 's', purpose_text: 'p', output_schema: { type: 'object' } } as const;
const files = {
  'agents/A/v1': minimal,
  'personas/p': persona,
  'llms/m': { llm_id: 'm', model_name: 'x' },
} as const;
const team = (...tasks: JsonObject[]) => ({ name: 'T', tasks, routing: { default: null } });
const orchestration = (...tasks: JsonObject[]): JsonObject => ({ name: 'o', entry_team: 't', teams: { t: team(...tasks) } });

interface Case {
  readonly value: Json;
  readonly files?: Files;
  readonly variables?: { readonly [name: string]: string };
  readonly environment?: string;
  readonly overrides?: CallOverrides;
}

const path = 'config/orchestrations/o.json';

function resolve({ value, files: more = {}, variables = {}, environment, overrides }: Case) {
  const all: Files = { ...files, ...more };
  // Every value goes through a parser, as it does outside.
  const parsed = JSON.parse(typeof value === 'string' ? value : JSON.stringify(value)) as JsonObject;
  const agents = Object.entries(all).flatMap(([name, agent]) => {
    const [folder, agent_name, version] = name.split('/');
    if (folder !== 'agents') return [];
    return [[`${agent_name}@${version}`, { path: `config/${name}.json`, value: JSON.parse(JSON.stringify(agent)) as JsonObject }] as const];
  });
  return resolveOrchestration({
    file: { path, value: parsed },
    project: indexOf(all),
    agents: new Map(agents),
    variables: { get: (name) => (Object.hasOwn(variables, name) ? variables[name] : undefined) },
    ...(environment !== undefined && { environment_name: environment }),
    ...(overrides && { overrides }),
  });
}
const freeze = (input: Case) => createSnapshot({ kind: 'orchestration', resolved: resolve(input), sha256 });
const problemsOf = (input: Case) => resolve(input).problems.map(({ code, file, pointer }) => `${code} ${file ?? 'call'}#${pointer}`);

describe('an orchestration that is frozen', () => {
  const value = {
    name: 'o',
    entry_team: 't',
    context: { zulu: 1, alpha: '${WHO:-you}' },
    teams: {
      t: {
        name: 'T',
        tasks: [
          { name: 'one', agent: 'A', input: { b: '{{context.zulu}}', a: 0 } },
          { name: 'two', persona_key: 'p', depends_on: ['one'], config: { temperature: 0, description: '' } },
        ],
        routing: {
          rules: [
            { condition: { context_field: 'zulu', operator: 'equals', value: null }, next_team: null, context_updates: { b: null, a: 1 } },
          ],
          default: 't',
        },
      },
    },
  };

  test('keeps nulls and zeros, which are values here', () => {
    const { frozen, agents } = resolve({ value });
    expect(frozen.teams.t?.routing).toEqual(value.teams.t.routing);
    expect(frozen.context).toEqual({ zulu: 1, alpha: 'you' });
    expect(agents.get('t/two')?.config).toMatchObject({ temperature: 0, description: '' });
  });

  test('keeps the order of what becomes a payload', () => {
    expect(freeze({ value }).value.key_order).toEqual({
      '/orchestration/context': ['zulu', 'alpha'],
      '/orchestration/teams/t/tasks/0/input': ['b', 'a'],
      '/orchestration/teams/t/routing/rules/0/context_updates': ['b', 'a'],
    });
    const { text, hash } = freeze({ value });
    const read = verifySnapshot(text, hash, sha256);
    expect(read.ok && Object.keys(read.value.orchestration?.context ?? {})).toEqual(['zulu', 'alpha']);
  });

  test('has the same bytes on every machine and in every version that keeps the format', () =>
    // SHA-256 of the canonical JSON, computed by another program from the value that these files mean.
    expect(freeze({ value }).hash).toBe('a6e044ddc3968049719f141efdcf75c3f54cc64bf6ff70e0c35209ec01f463aa'));

  test('has the same bytes in any order of files, teams and fields', () => {
    const two = { ...value, teams: { t: value.teams.t, s: team({ name: 'x', agent: 'A' }) } };
    const { hash } = freeze({ value: two });
    const turned = { teams: { s: two.teams.s, t: two.teams.t }, context: two.context, entry_team: 't', name: 'o' };
    expect(freeze({ value: turned }).hash).toBe(hash);
    expect(freeze({ value: two, files: Object.fromEntries(Object.entries(files).toReversed()) as never }).hash).toBe(hash);
  });

  test('changes its name with the order of a context', () => {
    const turned = { ...value, context: { alpha: '${WHO:-you}', zulu: 1 } };
    expect(freeze({ value: turned }).hash).not.toBe(freeze({ value }).hash);
  });
});

const anyText = fc.constantFrom('', 'plain', '0', 'with ${SET}', '${UNSET:-f}');
const config = fc.record(
  {
    temperature: fc.constantFrom<Json>(0, 0.5, null),
    description: fc.option(anyText, { nil: null }),
    purpose_text: anyText,
    max_iterations: fc.constantFrom<Json>(1, 2, null),
    include_history: fc.constantFrom<Json>(true, false, null),
    tracing: fc.constantFrom<Json>({ enabled: false }, { sample_rate: 0 }, {}, null),
    budget: fc.constantFrom<Json>({ max_cost: 0 }, { max_time_ms: 1, max_cost: null }, null),
    input_keys: fc.constantFrom<Json>([], ['a'], ['b', 'a'], null),
    enums: fc.constantFrom<Json>({ a: ['x'] }, { __proto__x: ['y'] }, null),
    output_schema: fc.constantFrom<Json>({ type: 'object' }, { type: 'object', properties: { b: {}, a: {} } }),
    agent_type: fc.constantFrom<Json>('single_shot', 'react', null),
  },
  { requiredKeys: [] },
);

describe('laws of the layers of a task', () => {
  const variables = { SET: 'value' };

  test('what a task says is laid over its persona as what a call says would be', () => {
    fc.assert(
      fc.property(config, config, (below, above) => {
        const task = { name: 'x', persona_key: 'p' };
        const under = { 'personas/p': { ...persona, ...below } } as Files;
        const inTask = resolve({ value: orchestration({ ...task, config: above }), files: under, variables }).agents.get('t/x');
        const inCall = resolve({ value: orchestration(task), files: under, variables, overrides: { config: above as JsonObject } });
        expect(canonicalJson(inTask?.config as never)).toBe(canonicalJson(inCall.agents.get('t/x')?.config as never));
      }),
    );
  });

  test('a call is laid over both', () => {
    fc.assert(
      fc.property(config, config, (inTask, inCall) => {
        const value = orchestration({ name: 'x', persona_key: 'p', config: inTask });
        const configOf = (overrides?: CallOverrides): JsonObject => {
          const { agents } = resolve({ value, variables, ...(overrides && { overrides }) });
          return JSON.parse(JSON.stringify(agents.get('t/x')?.config)) as JsonObject;
        };
        const called = configOf({ config: inCall as JsonObject });
        for (const [field, given] of Object.entries(inCall))
          if (given !== null && !isObject(given) && typeof given !== 'string') expect(called[field]).toEqual(given);
        // The type brings defaults of its own.
        const ofType = ['temperature', 'max_output_tokens'];
        for (const [field, before] of Object.entries(configOf()))
          if (!Object.hasOwn(inCall, field) && !ofType.includes(field)) expect(called[field]).toEqual(before);
      }),
    );
  });

  test('every leaf says where it is written, and it is written there', () => {
    fc.assert(
      fc.property(config, config, anyText, (below, above, text) => {
        const value = {
          ...orchestration({ name: 'x', persona_key: 'p', config: above, input: { text } }, { name: 'y', agent: 'A@v1' }),
          context: { text, nothing: null, list: [0, ''] },
        };
        const under: Files = { 'personas/p': { ...persona, ...below } as never };
        const snapshot = freeze({ value, files: under, variables });
        const origins = JSON.parse(snapshot.origins_text) as { readonly [pointer: string]: Origin };
        const texts: { readonly [file: string]: unknown } = {
          [path]: value,
          'config/personas/p.json': under['personas/p'],
          'config/agents/A/v1.json': minimal,
          'config/llms/m.json': files['llms/m'],
        };
        const { key_order: _order, ...content } = snapshot.value;
        forEachLeaf(content as unknown as JsonObject, (pointer) => {
          const origin = origins[pointer];
          expect(origin, pointer).toBeDefined();
          if (origin?.file === null || origin === undefined) return;
          const written = valueAt(JSON.parse(JSON.stringify(texts[origin.file])) as Json, origin.pointer);
          const leaf = valueAt(content as unknown as JsonObject, pointer);
          // Versions are resolved, placeholders expanded; everything else is as it stands there.
          if (typeof written === 'string' && (written.includes('${') || pointer.endsWith('/agent'))) return;
          expect(written, pointer).toEqual(leaf);
        });
        expect(Object.keys(origins).length).toBeGreaterThan(30);
      }),
      { numRuns: 50 },
    );
  });

  test('no variable that looks like a secret reaches any byte, and no reference to one is followed', () => {
    const secret = fc.string({ unit: fc.constantFrom(...'abcdefghijABCDEFGHIJ0123456789'), minLength: 24, maxLength: 40 });
    fc.assert(
      fc.property(secret, (key) => {
        const value = {
          ...orchestration({ name: 'x', persona_key: 'p', input: { text: 'as ${WHO}' }, config: { llm_config_id: 'k' } }),
          context: { who: '${WHO}' },
        };
        const llm = {
          llm_id: 'k',
          model_name: 'x',
          api_key: 'secret://api_key',
          options: { headers: { authorization: 'secret://token' } },
        };
        const { text, origins_text } = freeze({ value, files: { 'llms/k': llm }, variables: { WHO: 'me', API_KEY: key, TOKEN: key } });
        expect(text + origins_text).not.toContain(key);
        expect(text).toContain('secret://token');
      }),
      { numRuns: 30 },
    );
    const leaking = { ...orchestration({ name: 'x', persona_key: 'p' }), context: { hint: 'use ${KEY}' } };
    const resolved = resolve({ value: leaking, variables: { KEY: `sk-proj-${'a1B2c3D4'.repeat(6)}` } });
    expect(resolved.problems.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual(['secret-in-plain-text /context/hint']);
    expect(JSON.stringify(resolved.frozen)).not.toContain('sk-proj');
    expect(() => createSnapshot({ kind: 'orchestration', resolved, sha256 })).toThrow('secret');
  });
});

describe('what is hostile or wrong', () => {
  test('names that mean something to JavaScript are names', () => {
    const value =
      '{"name":"o","entry_team":"constructor","teams":{"constructor":{"name":"C","tasks":[{"name":"toString","agent":"A"}],"routing":{"default":null}}},"context":{"__proto__":{"polluted":1},"a":1}}';
    const { frozen, agents, problems } = resolve({ value });
    expect(problems).toEqual([]);
    expect([...agents.keys()]).toEqual(['constructor/toString']);
    expect(Object.hasOwn(frozen.context, '__proto__')).toBe(true);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect(freeze({ value }).text).toContain('"__proto__":{"polluted":1}');
  });

  test('a team called __proto__ is refused, and pollutes nothing', () => {
    const value =
      '{"name":"o","entry_team":"__proto__","teams":{"__proto__":{"name":"C","tasks":[{"name":"x","agent":"A"}],"routing":{"default":null}}}}';
    const { frozen, problems, agents } = resolve({ value });
    expect(problems.map(({ code }) => code)).toContain('schema');
    expect(Object.keys(frozen.teams)).toEqual(['__proto__']);
    expect([...agents.keys()]).toEqual(['__proto__/x']);
    expect(Object.getPrototypeOf(frozen.teams)).toBe(Object.prototype);
  });

  test('a persona that names itself, or another, is refused and goes round in no circle', () => {
    const value = orchestration({ name: 'x', persona_key: 'p' });
    const refused = ['persona-nested config/personas/p.json#/persona_key'];
    expect(problemsOf({ value, files: { 'personas/p': { ...persona, persona_key: 'p' } } })).toEqual(refused);
    expect(problemsOf({ value, files: { 'personas/p': { ...persona, persona_key: 'q' }, 'personas/q': { persona_key: 'p' } } })).toEqual(
      refused,
    );
    expect(problemsOf({ value, files: { 'personas/p': persona, system: { persona_defaults: { persona_key: 'p' } } } })).toEqual([
      'persona-nested config/system.json#/persona_defaults/persona_key',
    ]);
    expect(problemsOf({ value, files: { 'personas/p': { ...persona, persona_key: null } } })).toEqual([]);
  });

  test('a task gets the persona that its config, or a layer below it, names, and a circle there is refused too', () => {
    const files = { 'personas/p': persona, 'personas/q': { ...persona, persona_key: 'q' } };
    const value = orchestration({ name: 'x', persona_key: 'p', config: { persona_key: 'q' } });
    expect(problemsOf({ value, files })).toEqual(['persona-nested config/personas/q.json#/persona_key']);
    const agent = orchestration({ name: 'x', agent: 'A' });
    expect(problemsOf({ value: agent, files: { ...files, 'environments/dev': { agents: { A: { persona_key: 'q' } } } } })).toEqual([
      'persona-nested config/personas/q.json#/persona_key',
    ]);
  });

  test.each<[string, Json, string[]]>([
    ['${', '${', []],
    ['${}', '${}', []],
    ['unclosed ${VAR', 'unclosed ${VAR', []],
    ['${VAR:-open', '${VAR:-open', []],
    ['nested ${A:-${B}}', 'nested ${B}', ['placeholder-invalid']],
    ['${${A}}', '${${A}}', ['placeholder-invalid', 'env-unset']],
    ['${a.b}', '${a.b}', []],
    ['${NOPE}', '${NOPE}', ['env-unset']],
    ['${EMPTY}${SET}', 'value', []],
  ])('a placeholder that is none, or not whole, stays as it is written: %s', (written, expected, codes) => {
    const resolved = resolve({
      value: { ...orchestration({ name: 'x', agent: 'A' }), context: { text: written } },
      variables: { SET: 'value', EMPTY: '' },
    });
    expect(resolved.frozen.context.text).toBe(expected);
    expect(resolved.problems.map(({ code }) => code)).toEqual(codes);
  });

  test('a variable may choose persona, agent and profile', () => {
    const value = orchestration(
      { name: 'x', persona_key: '${WHO}', config: { llm_config_id: '${LLM}' } },
      { name: 'y', agent: '${AGENT}@v1' },
    );
    const { agents, frozen, problems } = resolve({ value, variables: { WHO: 'p', LLM: 'm', AGENT: 'A' } });
    expect(problems).toEqual([]);
    expect(frozen.teams.t?.tasks.map(({ agent, persona_key }) => agent ?? persona_key)).toEqual(['p', 'A@v1']);
    expect(agents.get('t/x')?.config).toMatchObject({ persona_key: 'p', version: 'p', llm_config_id: 'm' });
    expect(problemsOf({ value })).toEqual(expect.arrayContaining([`env-unset ${path}#/teams/t/tasks/1/agent`]));
  });

  test('an environment there is not is told with those there are', () => {
    const { problems } = resolve({
      value: orchestration({ name: 'x', agent: 'A' }),
      files: { 'environments/prod': {} },
      environment: 'prd',
    });
    expect(problems.map(({ message }) => message)).toEqual([
      'There is no environment "prd": environments/prd.json does not exist. Did you mean "prod"? There is: prod.',
    ]);
  });

  test('anything at all may stand in the file: it is told, never thrown', () => {
    const junk = fc.jsonValue({ maxDepth: 3 });
    const shape = fc.record(
      {
        name: junk,
        entry_team: junk,
        context: junk,
        max_total_teams: junk,
        teams: fc.oneof(
          junk,
          fc.dictionary(
            fc.constantFrom('t', '__proto__', 'constructor'),
            fc.oneof(
              junk,
              fc.record(
                {
                  name: junk,
                  tasks: fc.oneof(
                    junk,
                    fc.array(
                      fc.oneof(
                        junk,
                        fc.record(
                          {
                            name: fc.oneof(junk, fc.constantFrom('x', 'y')),
                            agent: fc.oneof(junk, fc.constantFrom('A', 'A@v1', 'B@v2', '${X}')),
                            persona_key: fc.oneof(junk, fc.constant('p')),
                            input: junk,
                            config: fc.oneof(junk, config),
                            depends_on: junk,
                          },
                          { requiredKeys: [] },
                        ),
                      ),
                      { maxLength: 3 },
                    ),
                  ),
                  routing: fc.oneof(
                    junk,
                    fc.record({ rules: fc.oneof(junk, fc.array(junk, { maxLength: 2 })), default: junk }, { requiredKeys: [] }),
                  ),
                },
                { requiredKeys: [] },
              ),
            ),
            { maxKeys: 2 },
          ),
        ),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(shape, (value) => {
        const resolved = resolve({ value: value as Json });
        if (resolved.problems.some(({ code }) => code === 'secret-in-plain-text')) return;
        const snapshot = createSnapshot({ kind: 'orchestration', resolved, sha256 });
        expect(snapshot.text).toBe(canonicalJson(JSON.parse(snapshot.text) as Json));
        JSON.parse(snapshot.origins_text);
      }),
      { numRuns: 300 },
    );
  });
});
