import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../support/effort.js';
import { largeAgentTexts } from '../support/largeAgents.js';
import { type Harness, openServer } from '../support/serverHarness.js';
import { agentText, llmText } from './agents.js';

// Files that depend on each other in every way there is, each in several states, some of them broken.

const prompt = (variable: string) =>
  JSON.stringify({ name: 'p', version: 'v1', template: `Hello {{input.${variable}}}`, variables: [variable] });
const route = (next: string) => ({
  rules: [{ condition: { task: 't', output_field: 'tone', operator: 'equals', value: 'a' }, next_team: next }],
  default: { next_team: null },
});
const orchestration = (agent: string, next: string) =>
  JSON.stringify({
    name: 'o',
    entry_team: 'one',
    teams: { one: { name: 'One', tasks: [{ name: 't', agent_type: 'single_shot', agent }], routing: route(next) } },
  });

/** An agent that calls another, and may cost what that does. */
const plan = (agent: string) =>
  JSON.stringify({
    agent_name: 'Plan',
    version: 'v1',
    agent_type: 'orchestrating',
    budget: { max_cost: 0.000_001 },
    execution_plan: { steps: [{ name: 'one', agent }], output: '{{steps.one.output.tone}} {{steps.one.output.other}}' },
  });

const baseline = (name: string) =>
  JSON.stringify({
    format: 2,
    verdicts: [{ case: name, version: 'v1', passes: 1, repeats: 1, date: '2026-05-01', key: '0'.repeat(64), test: '0'.repeat(64) }],
  });

const texts: Readonly<Record<string, readonly string[]>> = {
  'agentstack.json': ['{}', '{"environment": "prod"}', '{"rules": {"unknown-llm": "off"}}', '{"config_dir": "other"}', '{'],
  'config/system.json': [
    '{}',
    '{"agent_defaults": {"persona_key": "kind"}}',
    '{"agent_defaults": {"llm_config_id": "b"}}',
    '{"agents": {"A2": {"mode": null}}}',
    '[',
  ],
  'config/environments/prod.json': ['{}', '{"agent_defaults": {"temperature": 0.3}}', '{"llms": {"a": {"model_name": "x"}}}'],
  'config/llms/a.json': [llmText('a'), '{"llm_id": "a"}', '{"llm_id": "a", "model_name": "gpt-4o", "provider": "openai"}', '{"llm_id": '],
  'config/llms/b.json': [llmText('b'), '{"llm_id": "c"}'],
  'config/personas/kind.json': [
    '{}',
    '{"mode": "Writer"}',
    '{"llm_config_id": "b"}',
    '{"model_name": "gpt-4o"}',
    '{"prompts": {"system_prompt": "p@v1"}}',
    '{"persona_key": "Kind"}',
    '{"x',
  ],
  'config/personas/Kind.json': ['{}', '{"persona_key": "third"}'],
  'config/personas/third.json': ['{}', '{"persona_key": "kind"}', '{"persona_key": "third"}'],
  'config/prompts/p/v1.json': [prompt('task'), prompt('other'), '{}'],
  'config/agents/A2/v1.json': [
    agentText(),
    agentText({ llm_config_id: 'b' }),
    agentText({ persona_key: 'kind', mode: undefined }),
    agentText({ persona_key: 'kin' }),
    agentText({ prompts: { system_prompt: 'p@v1' }, input_keys: ['task'] }),
    agentText({ client_ids: ['files'] }),
    '{"agent_name": "A2", ',
  ],
  'config/agents/A2/v2.json': [agentText({}, 'A2', 'v2'), agentText({ enums: { tone: ['c'] } }, 'A2', 'v2')],
  'config/agents/Plan/v1.json': [plan('A2@v1'), plan('A2'), plan('Plan'), '{'],
  'config/mcp.json': ['{"servers": {"files": {"type": "stdio", "command": "x"}}}', '{"servers": {}}', '{'],
  'config/orchestrations/o.json': [
    orchestration('A2@v1', 'one'),
    orchestration('A2', 'two'),
    orchestration('A2@v3', 'one'),
    '{"name": "o"',
  ],
  'config/payloads/A2/x.json': [
    '{"input": {"task": "x"}}',
    '{"cases": [{"name": "one", "input": {"task": "x"}, "expected": {"tone": "q", "other": 1}}]}',
    '{"cases": [{"input": {"task": "x"}}], "expect": [{"output_field": "tone", "operator": "equals", "value": "c"}]}',
    '{"input": {"task": "y"}, "expect": [{"output_field": "tone", "operator": "in", "value": ["a", "c"]}, {"status": "failure"}]}',
    '{',
  ],
  'config/baselines/A2.json': [baseline('x/one'), baseline('x')],
  'config/payloads/o/x.json': ['{"input": {"task": "x"}}', '{}'],
  'other/agents/B/v1.json': [agentText({ llm_config_id: 'b' }, 'B')],
};
const paths = Object.keys(texts);

/** In the editor, on disk, closed or removed; `text` counts modulo the states of the file. */
interface Step {
  readonly kind: 'edit' | 'close' | 'write' | 'remove';
  readonly path: string;
  readonly text: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('edit' as const, 'edit' as const, 'close' as const, 'write' as const, 'write' as const, 'remove' as const),
  path: fc.constantFrom(...paths),
  text: fc.nat(20),
});

async function everythingFound(server: Harness): Promise<Readonly<Record<string, readonly string[]>>> {
  server.service.settle();
  await server.service.workspace.ready();
  const found: Record<string, readonly string[]> = {};
  for (const path of paths) {
    const { items } = await server.service.diagnose(server.uri(path));
    found[path] = items.map(({ code, range, message }) => `${range.start.line}:${range.start.character} ${code} ${message}`).sort();
  }
  return found;
}

test('after any changes all that is found is what a fresh start finds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const disk = new Map(paths.flatMap((path) => (path === 'agentstack.json' ? [] : [[path, texts[path]![0]!] as const])));
      const open = new Map<string, string>();
      // An agent that stays keeps the folder a project.
      disk.set('config/agents/Kept/v1.json', agentText({}, 'Kept'));
      const server = await openServer(Object.fromEntries([...disk].map(([path, text]) => [path, text.replaceAll('|', '||')])));
      await everythingFound(server);
      for (const { kind, path, text: number } of steps) {
        const text = texts[path]![number % texts[path]!.length]!;
        if (kind === 'edit') {
          server.edit(path, text);
          open.set(path, text);
        } else if (kind === 'close' && open.delete(path)) server.close(path);
        else if (kind === 'write') {
          server.write(path, text);
          disk.set(path, text);
        } else if (kind === 'remove' && disk.delete(path)) server.write(path, undefined);
        // What is kept of this must not outlive the next change.
        await everythingFound(server);
      }
      const fresh = await openServer(Object.fromEntries(disk));
      for (const [path, text] of open) fresh.edit(path, text);
      expect(relative(await everythingFound(server), server)).toEqual(relative(await everythingFound(fresh), fresh));
    }),
    { numRuns: runs(12, 40) },
  );
}, 120_000);

test('payloads of an orchestration that is removed have nothing to be given to', async () => {
  const saved = 'config/payloads/o/x.json';
  const server = await openServer({
    'config/orchestrations/o.json': orchestration('A2@v1', 'one'),
    'config/agents/A2/v1.json': agentText(),
    [saved]: '{"context": {"task": "x"}}',
  });
  const codes = async () => (await server.service.diagnose(server.uri(saved))).items.map(({ code }) => code);
  expect(await codes()).toEqual([]);
  server.write('config/orchestrations/o.json', undefined);
  expect(await codes()).toEqual(['unknown-agent']);
  server.write('config/orchestrations/o.json', orchestration('A2@v1', 'one'));
  expect(await codes()).toEqual([]);
});

test('what is found in a large agent after any changes is what a fresh start finds', async () => {
  const path = 'config/agents/A2/v1.json';
  const files = { [path]: agentText(), 'config/llms/a.json': llmText('a') };
  await fc.assert(
    fc.asyncProperty(largeAgentTexts, async (versions) => {
      const server = await openServer(files);
      for (const text of versions) {
        server.edit(path, text);
        await server.service.diagnose(server.uri(path));
      }
      const fresh = await openServer(files);
      fresh.edit(path, versions.at(-1)!);
      const [after, anew] = await Promise.all([server, fresh].map((each) => each.service.diagnose(each.uri(path))));
      expect(relative({ items: after!.items.map((item) => JSON.stringify(item)) }, server)).toEqual(
        relative({ items: anew!.items.map((item) => JSON.stringify(item)) }, fresh),
      );
    }),
    { numRuns: runs(8, 25) },
  );
}, 120_000);

function relative(found: Readonly<Record<string, readonly string[]>>, { root }: Harness): unknown {
  return JSON.parse(JSON.stringify(found).replaceAll(root, ''));
}
