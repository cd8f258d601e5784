import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { agentstack, listFiles, read, repository, start, temporaryProject, write } from './command.js';

const triage = {
  agent_name: 'IssueTriage',
  version: 'v1',
  mode: 'Chooser',
  system_text: 'You sort issues.',
  purpose_text: 'Choose the label.',
  provider: 'offline',
  model_name: 'offline',
  input_keys: ['title'],
  output_schema: {
    type: 'object',
    required: ['label', 'parts'],
    properties: {
      label: { type: 'string', enum: ['bug', 'question'], description: 'What it is.' },
      parts: {
        type: 'array',
        items: { type: 'object', properties: { 'file-name': { type: 'string' }, line: { type: 'integer' } }, required: ['line'] },
      },
      note: { type: ['string', 'null'] },
      tree: { $ref: '#/$defs/node' },
    },
    $defs: { node: { type: 'object', properties: { name: { type: 'string' }, next: { $ref: '#/$defs/node' } } } },
  },
  enums: { label: ['bug', 'question'] },
};
const second = {
  ...triage,
  version: 'v2',
  input_schema: { type: 'object', properties: { title: { type: 'string' }, body: { type: 'string' } }, required: ['title'] },
};
const chat = { agent_name: 'Chat', version: 'v1', agent_type: 'react', provider: 'offline', model_name: 'offline' };
const desk = {
  name: 'desk',
  entry_team: 'sorting',
  context: { title: 'x', rounds: 0 },
  teams: {
    sorting: { name: 'Sorting', tasks: [{ name: 'triage', agent: 'IssueTriage@v2' }], routing: { default: 'talking' } },
    talking: { name: 'Talking', tasks: [{ name: 'reply', agent: 'Chat' }], routing: { default: null } },
  },
};
const files = {
  'config/orchestrations/desk.json': desk,
  'config/agents/IssueTriage/v1.json': triage,
  'config/agents/IssueTriage/v2.json': second,
  'config/agents/Chat/v1.json': chat,
};

test('types writes what payloads and outputs of the agents are, and a program is checked against it', async () => {
  const folder = temporaryProject(files);
  const { code, stderr } = await agentstack(['types'], { cwd: folder });
  expect([code, stderr]).toEqual([0, 'agentstack.d.ts has the types of 3 agents and 1 orchestration.\n']);
  const text = read(folder, 'agentstack.d.ts');
  expect(text).toContain('"IssueTriage@v1": {');
  expect(text).toContain('IssueTriage: ProjectAgents["IssueTriage@v2"];');
  expect(text).toContain('/** What it is. */\n        readonly label: "bug" | "question";');
  write(
    folder,
    'program.ts',
    `
import { openProject } from 'agent-stack/node';
interface Issue { title: string; body?: string }
const issue: Issue = { title: 'x' };
const project = openProject('.');
const result = await project.invoke({ agent_name: 'IssueTriage', payload: issue });
if (result.status === 'completed') {
  const label: 'bug' | 'question' = result.output.label;
  const line: number = result.output.parts[0]!.line;
  const none: null = result.error;
  // @ts-expect-error: the output has "label" and no "labels", and the generated types must say so.
  result.output.labels;
  const answer: string = result.answer;
  console.log(answer, label, line, none, result.output.note?.length, result.output.tree?.next?.name);
} else console.log(result.error.code);
// @ts-expect-error: the payload lacks "title", which is required.
await project.invoke({ agent_name: 'IssueTriage', payload: { body: 'x' } });
// @ts-expect-error: v2 asks for a string as "title".
await project.invoke({ agent_name: 'IssueTriage', version: 'v2', payload: { title: 5 } });
await project.invoke({ agent_name: 'IssueTriage', version: 'v1', payload: { title: 5 } });
await project.invoke({ agent_name: 'IssueTriage', version: 'v1', payload: issue });
for await (const event of project.orchestrate({ name: 'desk', input: { title: 'y', other: 1 } })) {
  if (!event.final || event.result.status !== 'completed') continue;
  for (const done of event.result.output.teams) {
    if (done.team !== 'sorting') continue;
    const { triage } = done.tasks;
    if (triage?.status === 'completed') console.log(triage.output.label === 'bug', event.result.output.context.title);
    // @ts-expect-error: the team has no such task.
    done.tasks.reply;
  }
}
// @ts-expect-error: "rounds" is a number in the context.
project.orchestrate({ name: 'desk', input: { rounds: 'two' } });
project.orchestrate({ name: 'desk', input: issue });
for await (const event of project.run({ agent_name: 'IssueTriage', payload: issue })) {
  if (event.final && event.result.status === 'completed') console.log(event.result.output.label);
}
const other: string = 'Other';
const unknown = await project.invoke({ agent_name: other, payload: issue });
console.log(unknown.output);
`,
  );
  const compilerOptions = {
    ...{
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: true,
      module: 'esnext',
      moduleResolution: 'bundler',
      target: 'es2023',
    },
    lib: ['es2024', 'esnext.disposable'],
    ...{ types: ['node'], typeRoots: [join(repository, 'node_modules/@types')] },
    paths: { 'agent-stack/node': [join(repository, 'core/nodeIndex.ts')], 'agent-stack/core': [join(repository, 'core/index.ts')] },
  };
  write(folder, 'tsconfig.json', { compilerOptions, files: ['program.ts', 'agentstack.d.ts'] });
  write(folder, 'package.json', { type: 'module' });
  const compiler = join(repository, 'node_modules/typescript/bin/tsc');
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, '-p', folder]).catch((error: { stdout: string }) => error);
  expect(stdout).toBe('');
}, 60_000);

test('an agent with errors is left out and told, and the file says so by exit code 1', async () => {
  const folder = temporaryProject({ ...files, 'config/agents/Chat/v1.json': { ...chat, model_name: undefined, provider: 'nowhere' } });
  const { code, stderr } = await agentstack(['types', '--out', 'src.d.ts'], { cwd: folder });
  expect(code).toBe(1);
  expect(stderr).toContain('Chat@v1 is left out: ');
  expect(read(folder, 'src.d.ts')).not.toContain('Chat');
});

test('--check writes nothing, and ends with 1 where the file is missing or out of date', async () => {
  const cwd = temporaryProject(files);
  const check = async () => {
    const { code, stderr } = await agentstack(['types', '--check'], { cwd });
    return [code, stderr.trim()];
  };
  expect(await check()).toEqual([1, 'agentstack.d.ts does not exist. Run `agent-stack types`.']);
  expect(listFiles(cwd)).not.toContain('agentstack.d.ts');
  expect((await agentstack(['types'], { cwd })).code).toBe(0);
  expect(await check()).toEqual([0, 'agentstack.d.ts is up to date.']);
  write(cwd, 'config/agents/Chat/v1.json', { ...chat, input_keys: ['question'] });
  expect(await check()).toEqual([1, 'agentstack.d.ts is out of date. Run `agent-stack types`.']);
  expect((await agentstack(['types', '--check', '--watch'], { cwd })).code).toBe(2);
});

test('--watch writes it again when a config file changes, until it is interrupted', async () => {
  const folder = temporaryProject(files);
  const child = start(['types', '--watch'], { cwd: folder });
  const text = () => readFileSync(join(folder, 'agentstack.d.ts'), 'utf8');
  await expect
    .poll(
      () => {
        try {
          return text();
        } catch {
          return '';
        }
      },
      { timeout: 20_000 },
    )
    .toContain('Chat');
  write(folder, 'config/agents/Chat/v1.json', { ...chat, input_keys: ['question'] });
  await expect.poll(text, { timeout: 20_000, interval: 100 }).toContain('readonly question: unknown');
  child.kill('SIGINT');
  const exited = await new Promise((resolve) => child.once('exit', resolve));
  expect(exited).toBe(0);
}, 60_000);
