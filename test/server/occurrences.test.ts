import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Entity, entityKey } from '../../server/names/entity.js';
import { findOccurrences, type Occurrence, occurrencesAt, occurrencesIn } from '../../server/occurrences.js';
import { type Harness, openServer } from '../support/serverHarness.js';
import { namedProject as project, configText as text } from './namedProject.js';

test('finds every place that names an agent, with or without a version', async () => {
  const { found, carriers } = await search('config/orchestrations/flow.json', '"|A@v1');
  expect(found).toEqual([
    'config/agents/A/v1.json /agent_name declaration',
    'config/agents/A/v2.json /agent_name declaration',
    'config/agents/B/v1.json /execution_plan/steps/0/agent',
    'config/orchestrations/flow.json /teams/one/tasks/0/agent',
    'config/orchestrations/flow.json /teams/two/tasks/0/agent',
    'config/system.json /agents/A key',
  ]);
  expect(carriers).toEqual(['config/agents/A/v1.json', 'config/agents/A/v2.json', 'config/payloads/A/one.json']);
});

test('finds every place that names one version of an agent', async () => {
  const { found, carriers } = await search('config/orchestrations/flow.json', '"A@|v1');
  expect(found).toEqual([
    'config/agents/A/v1.json /version declaration',
    'config/agents/B/v1.json /execution_plan/steps/0/agent',
    'config/orchestrations/flow.json /teams/one/tasks/0/agent',
  ]);
  expect(carriers).toEqual(['config/agents/A/v1.json']);
});

test('finds llm profiles, personas, prompts and MCP servers', async () => {
  expect((await search('config/agents/A/v1.json', '"fa|st"')).found).toEqual([
    'config/agents/A/v1.json /llm_config_id',
    'config/llms/fast.json /llm_id declaration',
    'config/system.json /agent_defaults/llm_config_id',
  ]);
  expect((await search('config/agents/A/v1.json', '"edit|or"')).found).toEqual([
    'config/agents/A/v1.json /persona_key',
    'config/orchestrations/flow.json /teams/one/tasks/1/persona_key',
    'config/system.json /agents/A/persona_key',
  ]);
  expect((await search('config/agents/A/v1.json', '"a|sk@v2"')).found).toEqual([
    'config/agents/A/v1.json /prompts/system_prompt',
    'config/prompts/ask/v2.json /name declaration',
  ]);
  expect((await search('config/agents/A/v1.json', '"ask@v|2"')).found).toEqual([
    'config/agents/A/v1.json /prompts/system_prompt',
    'config/prompts/ask/v2.json /version declaration',
  ]);
  expect((await search('config/mcp.json', '"fil|es"')).found).toEqual([
    'config/agents/A/v1.json /client_ids/0',
    'config/mcp.json /servers/files key declaration',
  ]);
});

test('finds teams and tasks within their orchestration, and a task in its own team only', async () => {
  expect((await search('config/orchestrations/flow.json', '"entry_team": "|one')).found).toEqual([
    'config/orchestrations/flow.json /entry_team',
    'config/orchestrations/flow.json /teams/one key declaration',
    'config/orchestrations/flow.json /teams/two/routing/default',
  ]);
  expect((await search('config/orchestrations/flow.json', '{{tasks.as|k.')).found).toEqual([
    'config/orchestrations/flow.json /teams/one/tasks/0/name declaration',
    'config/orchestrations/flow.json /teams/one/tasks/1/depends_on/0',
    'config/orchestrations/flow.json /teams/one/routing/rules/0/condition/0/task',
    'config/orchestrations/flow.json /teams/one/routing/rules/0/context_updates/topic',
  ]);
});

test('finds an output field in schema, required, enums, defaults, examples, conditions and templates, and not that of another agent', async () => {
  const expected = [
    'config/agents/A/v1.json /output_schema/required/0',
    'config/agents/A/v1.json /output_schema/properties/tone key declaration',
    'config/agents/A/v1.json /enums/tone key',
    'config/agents/A/v1.json /defaults/tone key',
    'config/agents/B/v1.json /execution_plan/steps/1/when/output_field',
    'config/orchestrations/flow.json /teams/one/routing/rules/0/condition/0/output_field',
    'config/prompts/ask/v2.json /few_shot_examples/0/output/tone key',
  ];
  expect((await search('config/agents/A/v1.json', '"to|ne"')).found).toEqual(expected);
  expect((await search('config/prompts/ask/v2.json', '"tone|"')).found).toEqual(expected);
  expect((await search('config/orchestrations/flow.json', 'output_field": "t|one')).found).toEqual(expected);
});

test('finds a field of a list behind a reference', async () => {
  expect((await search('config/agents/A/v1.json', '"ki|nd"')).found).toEqual([
    'config/agents/A/v1.json /output_schema/$defs/item/properties/kind key declaration',
    'config/agents/A/v1.json /defaults/items/0/kind key',
    'config/orchestrations/flow.json /teams/one/routing/rules/0/context_updates/topic',
    'config/prompts/ask/v2.json /few_shot_examples/0/output/items/0/kind key',
  ]);
});

test('finds the field of a contract that a task brings itself', async () => {
  expect((await search('config/orchestrations/flow.json', '{{tasks.again.output.t|one}}')).found).toEqual([
    'config/orchestrations/flow.json /teams/one/tasks/1/config/output_schema/required/0',
    'config/orchestrations/flow.json /teams/one/tasks/1/config/output_schema/properties/tone key declaration',
    'config/orchestrations/flow.json /teams/one/routing/rules/0/condition/1/any/0/not/output_field',
    'config/orchestrations/flow.json /teams/one/routing/rules/0/context_updates/topic',
  ]);
});

test('finds an enum value everywhere it means the same', async () => {
  expect((await search('config/agents/A/v1.json', '"dir|ect"')).found).toEqual([
    'config/agents/A/v1.json /output_schema/properties/tone/enum/0 declaration',
    'config/agents/A/v1.json /enums/tone/0 declaration',
    'config/agents/A/v1.json /defaults/tone',
    'config/agents/B/v1.json /execution_plan/steps/1/when/value',
    'config/orchestrations/flow.json /teams/one/routing/rules/0/condition/0/value/1',
  ]);
});

test('finds a key of the input in the payloads, the prompt, the tasks and the plans that give it', async () => {
  expect((await search('config/agents/A/v1.json', '"to|pic"')).found).toEqual([
    'config/agents/A/v1.json /input_keys/0 declaration',
    'config/agents/B/v1.json /execution_plan/steps/0/input/topic key',
    'config/orchestrations/flow.json /teams/one/tasks/0/input/topic key',
    'config/payloads/A/one.json /input/topic key uncertain',
    'config/prompts/ask/v2.json /template',
    'config/prompts/ask/v2.json /template',
    'config/prompts/ask/v2.json /variables/0',
    'config/prompts/ask/v2.json /few_shot_examples/0/input/topic key',
  ]);
});

test('finds a key of the context, which is the input too', async () => {
  expect((await search('config/orchestrations/flow.json', '{{input.d|one}}')).found).toEqual([
    'config/orchestrations/flow.json /context/done key declaration',
    'config/orchestrations/flow.json /teams/one/tasks/0/input/topic',
    'config/orchestrations/flow.json /teams/one/routing/rules/0/condition/2/context_field',
  ]);
});

test('says of a prompt version that it implies the name of the agent', async () => {
  const server = await openServer({
    'config/agents/A/v1.json': text({ agent_name: 'A', version: 'v1', prompts: { system_prompt_version: 'v2' } }),
    'config/prompts/A/v2.json': text({ name: 'A', version: 'v2', template: 'x' }),
  });
  const [service] = server.service.workspace.projects;
  const { places, implied } = await findOccurrences({ kind: 'prompt', name: 'A' }, service!, { pause: () => undefined });
  expect(places.map(shown)).toEqual(['config/prompts/A/v2.json /name declaration']);
  expect(implied.map(shown)).toEqual(['config/agents/A/v1.json /prompts/system_prompt_version']);
});

test('marks the name alone, in escaped text too', async () => {
  const server = await openServer({
    ...project,
    'config/prompts/ask/v2.json': String.raw`{"template": "\"\u00e9\n😀 {{input.topic}} {{ input.\u0074opic }}"}`,
  });
  const places = await occurrencesOf(server, { kind: 'input-key', file: 'config/agents/A/v1.json', at: '', name: 'topic' });
  expect(places.filter(({ path }) => path.includes('prompts')).map(textOf)).toEqual(['topic', String.raw`\u0074opic`]);
});

test('finds names in broken JSON', async () => {
  const broken = `{
  "name": "flow"
  "entry_team": "one",
  "teams": {
    "one": { "tasks": [ { "name": "ask", "agent": "A@v1", } ],
      "routing": { "rules": [ { "condition": { "task": "ask", "output_field": "tone", "value": "direct" , "operator": "equals"
`;
  const { found, broken: files } = await search('config/orchestrations/flow.json', '"output_field": "to|ne"', broken);
  expect(found).toContain('config/orchestrations/flow.json /teams/one/routing/rules/0/condition/output_field');
  expect(found).toContain('config/agents/A/v1.json /output_schema/properties/tone key declaration');
  expect(files).toEqual(['config/orchestrations/flow.json']);
});

test('takes names like __proto__ for names', async () => {
  const schema = '{"properties": {"__proto__": {"enum": ["constructor"]}}}';
  const server = await openServer({
    'config/agents/A/v1.json': `{"agent_name": "A", "version": "v1", "output_schema": ${schema}, "enums": {"__proto__": ["constructor"]}}`,
  });
  const [service] = server.service.workspace.projects;
  const names = occurrencesIn(service!.documentAt('config/agents/A/v1.json')!, service!).map(shown);
  expect(names).toContain('config/agents/A/v1.json /enums/__proto__ key');
  expect(names).toContain('config/agents/A/v1.json /enums/__proto__/0 declaration');
});

test('finds of every name in the example project the place itself, from each of its ends', async () => {
  const server = await openServer(exampleFiles());
  const [service] = server.service.workspace.projects;
  let count = 0;
  const searched = new Map<string, readonly string[]>();
  for (const { path } of service!.knownFiles()) {
    const document = service!.documentAt(path)!;
    for (const place of occurrencesIn(document, service!)) {
      if (place.isImplied) continue;
      count += 1;
      for (const offset of [place.range.start, place.range.end]) {
        const keys = occurrencesAt(document, offset, service!).map(({ entity }) => entityKey(entity));
        expect(keys, `${shown(place)} at ${offset}`).toContain(entityKey(place.entity));
      }
      const key = entityKey(place.entity);
      if (!searched.has(key)) searched.set(key, (await occurrencesOf(server, place.entity)).map(shown));
      expect(searched.get(key), shown(place)).toContain(shown(place));
      if (place.isCertain) expect(textOf(place)).toBe(place.entity.name);
    }
  }
  expect(count).toBeGreaterThan(150);
});

/** @param mark a part of the file with a cursor in it */
async function search(path: string, mark: string, changed?: string) {
  const server = await openServer(changed === undefined ? project : { ...project, [path]: changed });
  const [service] = server.service.workspace.projects;
  const document = service!.documentAt(path)!;
  const at = document.text.indexOf(mark.replace('|', ''));
  if (at < 0) throw new Error(`${path} has no ${mark}`);
  const [place] = occurrencesAt(document, at + mark.indexOf('|'), service!);
  const { places, carriers, broken } = await findOccurrences(place!.entity, service!, { pause: () => undefined });
  for (const found of places) expect(textOf(found)).toBe(found.entity.name);
  return { found: places.map(shown), carriers, broken };
}

async function occurrencesOf(server: Harness, entity: Entity): Promise<readonly Occurrence[]> {
  const [service] = server.service.workspace.projects;
  return (await findOccurrences(entity, service!, { pause: () => undefined })).places;
}

function textOf({ document, range }: Occurrence): string {
  return document.text.slice(range.start, range.end);
}

function shown({ path, pointer, target, isDeclaration, isCertain }: Occurrence): string {
  return [path, pointer, target === 'key' && 'key', isDeclaration && 'declaration', !isCertain && 'uncertain'].filter(Boolean).join(' ');
}

/** The project this repository shows. */
function exampleFiles(): Record<string, string> {
  const root = join(import.meta.dirname, '../..');
  const paths = readdirSync(join(root, 'config'), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.json'));
  return Object.fromEntries(
    paths.map((path) => [`config/${path}`, readFileSync(join(root, 'config', path), 'utf8').replaceAll('|', '||')]),
  );
}
