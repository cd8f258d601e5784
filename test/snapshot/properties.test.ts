// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these configs hold placeholders.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { agentDefaults, fallbackSystemText, llmDefaults } from '../../core/config/defaults.js';
import { type Json, type JsonObject, valueAt } from '../../core/json.js';
import { canonicalJson } from '../../core/snapshot/canonicalJson.js';
import { createSnapshot } from '../../core/snapshot/createSnapshot.js';
import type { Origin } from '../../core/snapshot/effective.js';
import type { ResolvedAgent } from '../../core/snapshot/types.js';
import { verifySnapshot } from '../../core/snapshot/verifySnapshot.js';
import { type Files, minimal, resolve, sha256 } from './support.js';

type Fields = { readonly [name: string]: unknown };

const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 5, nil: null });
const some = (model: { readonly [name: string]: fc.Arbitrary<unknown> }) =>
  fc.record(Object.fromEntries(Object.entries(model).map(([name, value]) => [name, orNull(value)])), { requiredKeys: [] });

const text = fc.constantFrom('', 'plain', 'with ${SET}', 'with ${UNSET:-fallback}', '${SET}${EMPTY}', 'a "quoted"\nline', 'half \ud83d');
const names = fc.constantFrom('b', 'a', 'c', '__proto__', 'constructor', '10', '9', 'x/y', 'x~z');
const anything = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(null, 0, false, '', [], {}),
    text,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(names, tie('value')), { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
  ),
})).value;
const object = fc.array(fc.tuple(names, anything), { maxLength: 4 }).map((entries) => Object.fromEntries(entries));

const ofBoth = {
  temperature: fc.constantFrom(0, 0.5, 1),
  top_p: fc.constantFrom(0, 1),
  max_output_tokens: fc.nat({ max: 9 }).map((n) => n + 1),
  retry_attempts: fc.constantFrom(1, 5),
};
const agentFields = some({
  ...ofBoth,
  description: text,
  purpose_text: text,
  agent_type: fc.constantFrom('single_shot', 'react', 'orchestrating'),
  input_keys: fc.uniqueArray(fc.constantFrom('k', 'l'), { maxLength: 2 }),
  defaults: object,
  output_schema: object,
  enums: fc.array(fc.tuple(names, fc.constant(['v']))).map((entries) => Object.fromEntries(entries)),
  budget: some({ max_cost: fc.constantFrom(0, 1), max_time_ms: fc.constantFrom(1, 2) }),
  tracing: some({ enabled: fc.boolean(), sample_rate: fc.constantFrom(0, 1) }),
  include_history: fc.boolean(),
  max_iterations: fc.constantFrom(1, 2),
});
const llmFields = some({
  ...ofBoth,
  default_system_prompt: text,
  base_url: fc.constantFrom('http://a', 'http://${SET}'),
  request_timeout_ms: fc.constantFrom(1, 2),
  options: object,
});
const systemFields = fc.record(
  {
    tracing: some({ enabled: fc.boolean() }),
    agent_defaults: agentFields,
    persona_defaults: agentFields,
    agents: fc.record({ A: agentFields, B: agentFields }, { requiredKeys: [] }),
    llms: fc.record({ m: llmFields, other: llmFields }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);

interface Case {
  readonly system: Fields;
  readonly environment: Fields;
  readonly llm: Fields;
  readonly persona: Fields;
  readonly agent: Fields;
  readonly config: Fields;
}
const cases: fc.Arbitrary<Case> = fc.record({
  system: systemFields,
  environment: systemFields,
  llm: llmFields,
  persona: agentFields,
  agent: agentFields,
  config: agentFields,
});
const variables = { SET: 'value', EMPTY: '' };

function filesOf({ system, environment, llm, persona, agent }: Case): Files {
  return {
    'agents/A/v1': { ...minimal, ...agent, agent_name: 'A', version: 'v1', persona_key: 'p', llm_config_id: 'm' },
    system,
    'environments/dev': environment,
    'llms/m': { ...llm, llm_id: 'm', model_name: 'x' },
    'personas/p': persona,
  } as unknown as Files;
}

function resolveCase(input: Case): ResolvedAgent {
  return resolve({ files: filesOf(input), variables, overrides: { config: input.config as JsonObject } });
}

const parsed = (value: unknown) => JSON.parse(JSON.stringify(value)) as JsonObject;
const expanded = (value: string) =>
  value.replaceAll('${SET}', 'value').replaceAll('${EMPTY}', '').replaceAll('${UNSET:-fallback}', 'fallback');

/** All strings replaced, keys left alone. */
function expandAll(value: Json): Json {
  if (typeof value === 'string') return expanded(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(expandAll);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, expandAll(member)]));
}

describe('the layers, against a naive reading of the documentation', () => {
  const wholes = new Set(['output_schema', 'enums', 'defaults', 'input_keys']);
  const alwaysThere = ['agent_type', 'tool_protocol', 'max_iterations', 'timeout_ms', 'retry_attempts', 'include_history', 'tracing'];
  const ofLlm = new Set([...Object.keys(ofBoth), 'default_system_prompt', 'model_name']);

  function naive(below: Map<string, Json>, fragment: unknown, isLlm: boolean): void {
    if (typeof fragment !== 'object' || fragment === null) return;
    for (const [name, value] of Object.entries(parsed(fragment))) {
      if (name === 'llm_id' || (isLlm && !ofLlm.has(name))) continue;
      const before = below.get(name);
      if (value === null) below.delete(name);
      else if (wholes.has(name) || typeof value !== 'object') below.set(name, value);
      else {
        const members = new Map<string, Json>(Object.entries((before ?? {}) as JsonObject));
        for (const [part, member] of Object.entries(value)) {
          if (member === null) members.delete(part);
          else members.set(part, member as Json);
        }
        below.set(name, Object.fromEntries(members));
      }
    }
  }

  /** Null in the environment removes the section of system.json; the generator has no null sections. */
  function expectedAgent({ system, environment, llm, persona, agent, config }: Case): JsonObject {
    const files = filesOf({ system, environment, llm, persona, agent, config }) as { [name: string]: Fields };
    const order: [unknown, boolean][] = [];
    for (const file of [files.system, files['environments/dev']]) {
      const { tracing, agent_defaults, llms, persona_defaults, agents } = (file ?? {}) as { [name: string]: Fields };
      order.push(
        [tracing === undefined ? {} : { tracing }, false],
        [agent_defaults, false],
        [llms?.m, true],
        [persona_defaults, false],
        [agents?.A, false],
      );
    }
    order.push([files['llms/m'], true], [files['personas/p'], false], [files['agents/A/v1'], false], [config, false]);
    const type = order.reduce((type, [fragment, isLlm]) => {
      const given = isLlm ? undefined : (fragment as Fields | undefined)?.agent_type;
      return given === undefined ? type : (given ?? 'single_shot');
    }, 'single_shot' as unknown) as 'react';
    const defaults = agentDefaults(type) as unknown as JsonObject;
    const values = new Map<string, Json>(Object.entries(defaults));
    for (const [fragment, isLlm] of order) naive(values, fragment, isLlm);
    for (const name of alwaysThere) {
      if (!values.has(name)) values.set(name, defaults[name] as Json);
      if (name === 'tracing') values.set(name, { ...(defaults.tracing as JsonObject), ...(values.get(name) as JsonObject) });
    }
    if (!values.has('provider')) values.set('provider', 'openai');
    if (type === 'react' && !values.has('system_text'))
      values.set('system_text', values.get('default_system_prompt') ?? fallbackSystemText);
    return expandAll(Object.fromEntries(values)) as JsonObject;
  }

  test('every field has the value of the highest layer that gives it', () => {
    fc.assert(
      fc.property(cases, (input) => {
        expect(canonicalJson(resolveCase(input).config as unknown as Json)).toBe(canonicalJson(expectedAgent(input)));
      }),
      { numRuns: 200 },
    );
  }, 60_000);
});

describe('origins', () => {
  const builtIn = (type: 'single_shot'): JsonObject => ({
    ...(agentDefaults(type) as unknown as JsonObject),
    ...llmDefaults,
    provider: 'openai',
    system_text: fallbackSystemText,
  });

  function sourceOf({ file, pointer, layer }: Origin, input: Case, type: string): Json | undefined {
    if (layer === 'default' && file === null) return valueAt(builtIn(type as 'single_shot'), pointer);
    if (file === null) return valueAt({ config: parsed(input.config) }, pointer);
    const name = file.slice('config/'.length, -'.json'.length);
    return valueAt(parsed(filesOf(input)[name]), pointer);
  }

  function leaves(value: Json, pointer = ''): [string, Json][] {
    if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return [[pointer, value]];
    return Object.entries(value).flatMap(([key, member]) =>
      leaves(member, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
    );
  }

  test('every leaf has one, and what is written there is the leaf once it is expanded', () => {
    fc.assert(
      fc.property(cases, (input) => {
        const resolved = resolveCase(input);
        for (const [value, origins] of [
          [resolved.config, resolved.origins],
          [resolved.llm, resolved.llm_origins],
        ] as const) {
          const all = leaves(value as unknown as Json);
          expect([...origins.keys()].sort()).toEqual(all.map(([pointer]) => pointer).sort());
          for (const [pointer, leaf] of all) {
            const origin = origins.get(pointer) as Origin;
            const written = sourceOf(origin, input, resolved.config.agent_type);
            // An object that nulls emptied is written with those nulls.
            if (JSON.stringify(leaf) === '{}') expect([pointer, typeof written]).toEqual([pointer, 'object']);
            else expect([pointer, origin, written === undefined ? 'nothing' : expandAll(written)]).toEqual([pointer, origin, leaf]);
          }
        }
      }),
      { numRuns: 200 },
    );
  }, 60_000);
});

describe('snapshots', () => {
  const snapshotOf = (resolved: ResolvedAgent) => createSnapshot({ kind: 'agent', resolved, sha256 });
  const orderedFields = new Set(['output_schema', 'enums', 'defaults', 'options']);

  /** Keys in another order, but for the fields whose order says something. */
  function shuffled(value: unknown, numbers: () => number): unknown {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(
      Object.entries(value)
        .map(([key, member]) => ({ key, member: orderedFields.has(key) ? member : shuffled(member, numbers), at: numbers() }))
        .sort((left, right) => left.at - right.at)
        .map(({ key, member }) => [key, member]),
    );
  }

  test('the same content has the same bytes, in any order of files and keys', () => {
    fc.assert(
      fc.property(cases, fc.infiniteStream(fc.nat()), (input, stream) => {
        const numbers = () => stream.next().value as number;
        const files = filesOf(input);
        const other = shuffled(files, numbers) as Files;
        const config = shuffled(input.config, numbers) as JsonObject;
        const first = snapshotOf(resolve({ files, variables, overrides: { config: input.config as JsonObject } }));
        const second = snapshotOf(resolve({ files: other, variables, overrides: { config } }));
        expect(second).toMatchObject({ text: first.text, hash: first.hash, origins_text: first.origins_text });
      }),
    );
  }, 60_000);

  test('what is read back is what was frozen, keys in the same order', () => {
    fc.assert(
      fc.property(cases, (input) => {
        const resolved = resolveCase(input);
        const { text, hash } = snapshotOf(resolved);
        const verified = verifySnapshot(text, hash, sha256);
        if (!verified.ok) throw new Error(verified.message);
        const { A: agent } = verified.value.agents;
        for (const field of ['output_schema', 'enums', 'defaults'] as const)
          expect(JSON.stringify(agent?.[field])).toBe(JSON.stringify(resolved.config[field]));
        expect(JSON.stringify(verified.value.llms.m?.options)).toBe(JSON.stringify(resolved.llm.options));
        expect(canonicalJson(agent as unknown as Json)).toBe(canonicalJson(resolved.config as unknown as Json));
      }),
    );
  }, 60_000);

  test('every leaf of a snapshot has its origin', () => {
    fc.assert(
      fc.property(cases, (input) => {
        const { text, origins_text } = snapshotOf(resolveCase(input));
        const { key_order: _, ...content } = JSON.parse(text) as { [name: string]: Json };
        const pointers: string[] = [];
        const walk = (value: Json, pointer: string): void => {
          const entries = typeof value === 'object' && value !== null ? Object.entries(value as JsonObject) : [];
          if (entries.length === 0) pointers.push(pointer);
          for (const [key, member] of entries) walk(member, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
        };
        walk(content, '');
        expect(Object.keys(JSON.parse(origins_text) as object).sort()).toEqual(pointers.sort());
      }),
    );
  }, 60_000);
});
