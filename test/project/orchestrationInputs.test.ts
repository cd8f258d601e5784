import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { unlessRefused } from '../../core/agent/load/refused.js';
import { openProject } from '../../core/node/openProject.js';
import { contextSchemaOf } from '../../core/serve/inputSchemaOf.js';
import { orchestrationTypes } from '../../core/team/orchestrationTypes.js';
import { checkRule } from '../support/checkRule.js';
import { temporaryFolder } from '../support/temporaryFolder.js';

const flow = {
  input_keys: ['title', 'audience'],
  input_schema: { type: 'object', properties: { title: { type: 'string', minLength: 3 }, round: { type: 'integer' } } },
  context: { audience: 'developers' },
  entry_team: 'a',
  teams: { a: { tasks: [{ name: 'one', agent: 'Echo' }] } },
};

function projectWith(orchestration: object) {
  const root = temporaryFolder();
  const files = {
    'agentstack.json': {},
    'config/llms/offline.json': { provider: 'offline' },
    'config/agents/Echo/v1.json': { user_text: '{{input.title}} for {{input.audience}}' },
    'config/orchestrations/flow.json': orchestration,
  };
  for (const [path, value] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), JSON.stringify(value));
  }
  return openProject(root);
}

test('a run without a required input is refused, and context gives the defaults', async () => {
  const project = projectWith(flow);
  const refused = await project.invokeOrchestration({ name: 'flow' });
  expect(refused).toMatchObject({ status: 'failed', error: { code: 'input-invalid' }, metadata: { snapshot_hash: null } });
  expect(refused.error?.message).toBe('The input of flow is not valid: /title: The key "title" is missing.');
  expect((await project.invokeOrchestration({ name: 'flow', input: { title: 'x' } })).error?.code).toBe('input-invalid');
  expect((await project.invokeOrchestration({ name: 'flow', input: { title: 'Plans', audience: null } })).error?.code).toBe(
    'input-invalid',
  );
  const done = await project.invokeOrchestration({ name: 'flow', input: { title: 'Plans' } });
  expect(done).toMatchObject({ status: 'completed', output: { context: { title: 'Plans', audience: 'developers' } } });
});

test('an orchestration that says nothing about its input takes any', async () => {
  const { input_keys: _keys, input_schema: _schema, ...open } = flow;
  const project = projectWith({ ...open, context: { title: 'Plans', audience: 'all' } });
  expect((await project.invokeOrchestration({ name: 'flow' })).status).toBe('completed');
});

test('what a run needs is in its snapshot, its tool and its types', async () => {
  const loaded = unlessRefused(await projectWith(flow).loadOrchestration({ name: 'flow' }));
  const { frozen } = loaded.orchestration;
  expect(frozen).toMatchObject({ input_keys: ['title', 'audience'], input_schema: flow.input_schema });
  expect(contextSchemaOf(frozen)).toMatchObject({
    type: 'object',
    required: ['title'],
    properties: { title: { minLength: 3 }, audience: { type: 'string', description: 'Default: "developers"' } },
  });
  expect(orchestrationTypes('flow', loaded)).toContain(
    'readonly input: Open<{ readonly title: string; readonly round?: number; readonly audience?: string | null }>;',
  );
});

test('cases of an orchestration are judged over its context', () =>
  checkRule('input-invalid')(`--- config/orchestrations/flow.json
${JSON.stringify(flow)}
--- config/agents/Echo/v1.json
{ "user_text": "{{input.title}}" }
--- config/payloads/flow/whole.json
{ "context": { "title": "Plans" } }
--- config/payloads/flow/lacking.json
{ "context": { "audience": "all" } }
//^^^^^^^^^ input-invalid title
--- config/payloads/flow/wrong.json
{ "context": { "title": "Plans", "round": "one" } }
//                                        ^^^^^ input-invalid
`));

test('a field of the context that the input brings is known', () =>
  checkRule('context-field-unknown')(`--- config/orchestrations/flow.json
{ "input_keys": ["title"], "entry_team": "a", "teams": { "a": { "tasks": [{ "name": "one", "agent": "Echo", "input": { "title": "{{context.title}} {{context.titel}}" } }] } } }
//                                                                                                                                                 ^^^^^^^^^^^^^^^^^ context-field-unknown Nothing sets "titel" in the context. Did you mean "title"?
--- config/agents/Echo/v1.json
{ "user_text": "{{input.title}}" }
`));
