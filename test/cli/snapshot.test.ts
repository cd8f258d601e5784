import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createAgentFactory } from '../../core/agent/load/agentFactory.js';
import type { JsonObject } from '../../core/json.js';
import { createNodeFiles } from '../../core/node/nodeFiles.js';
import { sha256 } from '../snapshot/support.js';
import { testPorts } from '../support/testPorts.js';
import { agentstack, read, toneAgent, toneProject, write } from './command.js';

const intake = {
  name: 'intake',
  entry_team: 'first',
  teams: {
    first: {
      name: 'First',
      tasks: [{ name: 'tone', agent: 'Tone', input: { text: 'A friendly hello' }, config: { temperature: 0.5 } }],
      routing: { default: null },
    },
  },
};
const project = () =>
  toneProject({
    'config/orchestrations/intake.json': intake,
    'config/environments/prod.json': { agent_defaults: { max_iterations: 3 } },
    'config/system.json': { agent_defaults: { max_iterations: 7 } },
  });
const tonePath = 'config/agents/Tone/v1.json';
const call = async (args: readonly string[], cwd: string) => agentstack(args, { cwd });
const json = async (args: readonly string[], cwd: string) => JSON.parse((await call([...args, '--json'], cwd)).stdout) as JsonObject;

describe('agent-stack snapshot', () => {
  test('prints the hash, then what is frozen, and says on stderr of what', async () => {
    const { code, stdout, stderr } = await call(['snapshot', 'Tone'], project());
    const [hash = '', ...lines] = stdout.trimEnd().split('\n');
    expect(code).toBe(0);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.parse(lines.join('\n'))).toMatchObject({ kind: 'agent', name: 'Tone', agents: { Tone: { max_iterations: 7 } } });
    expect(stderr).toContain('Tone@v1, environment dev');
  });

  test('writes the very bytes that are hashed', async () => {
    const cwd = project();
    const { stdout } = await call(['snapshot', 'intake', '--env', 'prod', '--out', 'frozen.json'], cwd);
    const text = read(cwd, 'frozen.json');
    expect(stdout.trim()).toBe(sha256(text));
    expect(JSON.parse(text)).toMatchObject({ environment: 'prod', agents: { 'first/tone': { max_iterations: 3, temperature: 0.5 } } });
    expect((await call(['snapshot', 'diff', 'frozen.json', 'intake:prod'], cwd)).code).toBe(0);
  });

  test('shows the hash that preview, compose and run show', async () => {
    const cwd = project();
    const { hash } = await json(['snapshot', 'Tone'], cwd);
    const composed = await json(['compose', 'Tone', '--case', 'greeting'], cwd);
    const ran = (await json(['run', 'Tone', '--case', 'greeting'], cwd)) as { readonly metadata: JsonObject };
    // What the preview in the editor shows is this draft's.
    const ports = { ...testPorts(), files: createNodeFiles(cwd), environment: { get: () => undefined } };
    const { snapshot } = await createAgentFactory({ ports }).load('Tone', 'v1');
    expect([composed.snapshot_hash, ran.metadata.snapshot_hash, snapshot.hash]).toEqual([hash, hash, hash]);
    const orchestration = await json(['snapshot', 'intake'], cwd);
    const team = (await json(['orchestrate', 'intake'], cwd)) as { readonly metadata: JsonObject };
    expect(team.metadata.snapshot_hash).toBe(orchestration.hash);
  });

  test('explains a value: who gave it, and what lower layers say', async () => {
    const cwd = project();
    const { stdout } = await call(['snapshot', 'Tone', '--env', 'prod', '--explain', 'max_iterations'], cwd);
    expect(stdout).toBe(`/agents/Tone/max_iterations 3
  config/environments/prod.json, layer environment, /agent_defaults/max_iterations
  config/system.json, layer system, /agent_defaults/max_iterations says 7
  built-in default says 10
`);
    const pointer = await call(['snapshot', 'intake', '--explain', '/agents/first~1tone/temperature'], cwd);
    expect(pointer.stdout).toContain('config/orchestrations/intake.json, layer task, /teams/first/tasks/0/config/temperature');
    expect((await call(['snapshot', 'intake', '--explain', 'first/tone.temperature'], cwd)).stdout).toBe(pointer.stdout);
    const limits = await call(['snapshot', 'intake', '--explain', 'max_total_teams'], cwd);
    expect(limits.stdout).toBe('/orchestration/max_total_teams 30\n  built-in default\n');
    expect(await json(['snapshot', 'Tone', '--explain', 'max_iterations'], cwd)).toMatchObject({
      explained: [
        {
          value: 7,
          origin: { layer: 'system' },
          layers: [
            { layer: 'default', value: 10 },
            { layer: 'system', value: 7 },
          ],
        },
      ],
    });
  });

  test.each<[string, readonly string[], string]>([
    ['a name there is not', ['snapshot', 'Tne'], 'Did you mean "Tone"?'],
    ['an environment there is not', ['snapshot', 'Tone', '--env', 'prd'], 'Did you mean "prod"? There is: prod.'],
    ['a path that leads nowhere', ['snapshot', 'Tone', '--explain', 'max_iteration'], 'Did you mean "max_iterations"?'],
    ['a profile there is not', ['snapshot', 'Tone', '--llm', 'ofline'], 'Did you mean "offline"?'],
    ['a file that is not a snapshot', ['snapshot', 'diff', 'config/agents/Tone/v1.json', 'Tone'], 'is not canonical JSON'],
    ['a file there is not', ['snapshot', 'diff', 'none.json', 'Tone'], 'none.json cannot be read'],
  ])('refuses %s, with a way out', async (_, args, words) => {
    const { code, stderr } = await call(args, project());
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });

  test('asks which is meant where an agent and an orchestration share a name', async () => {
    const cwd = toneProject({ 'config/orchestrations/Tone.json': { ...intake, name: 'Tone' } });
    const { code, stderr } = await call(['snapshot', 'Tone'], cwd);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Write agents/Tone, Tone@VERSION or orchestrations/Tone.')]);
    expect(await json(['snapshot', 'orchestrations/Tone'], cwd)).toMatchObject({ snapshot: { kind: 'orchestration' } });
    expect(await json(['snapshot', 'Tone@v1'], cwd)).toMatchObject({ snapshot: { kind: 'agent' } });
  });
});

describe('agent-stack snapshot diff', () => {
  test('says by cause what differs between two environments', async () => {
    const { code, stdout } = await call(['snapshot', 'diff', 'Tone:dev', 'Tone:prod'], project());
    expect(code).toBe(1);
    expect(stdout).toBe(`config/environments/prod.json, layer environment: now sets the value, above the layer that did
  /agents/Tone/max_iterations
    - 7  (config/system.json, layer system)
    + 3  (config/environments/prod.json, layer environment)

the snapshot itself: is another
  /environment
    - "dev"
    + "prod"
`);
  });

  test('cuts two long texts around what differs, not before it', async () => {
    const text = (word: string) => `${'The same beginning of a long prompt. '.repeat(8)}Be ${word} to everybody.`;
    const cwd = toneProject({ [tonePath]: { ...toneAgent, purpose_text: text('kind') } });
    await call(['run', 'Tone', '--set', 'text=Hello'], cwd);
    write(cwd, tonePath, { ...toneAgent, purpose_text: text('strict') });
    for (const command of [
      ['snapshot', 'diff', 'last', 'Tone'],
      ['runs', 'verify', 'last'],
    ]) {
      const { stdout } = await call(command, cwd);
      expect(stdout).toMatch(/- ….*Be kind to everybody/);
      expect(stdout).toMatch(/\+ ….*Be strict to everybody/);
    }
  });

  test('compares a run with today', async () => {
    const cwd = project();
    await call(['orchestrate', 'intake'], cwd);
    expect((await call(['snapshot', 'diff', 'last', 'intake'], cwd)).code).toBe(0);
    write(cwd, 'config/agents/Tone/v1.json', { ...toneAgent, purpose_text: 'Choose the tone well.' });
    const compared = await json(['snapshot', 'diff', 'last', 'intake'], cwd);
    expect(compared).toMatchObject({
      same: false,
      groups: [
        { cause: 'value', file: 'config/agents/Tone/v1.json', layer: 'agent', changes: [{ pointer: '/agents/first~1tone/purpose_text' }] },
      ],
    });
  });
});

describe('agent-stack runs verify', () => {
  test('tells whether a run is as it was, and what the files of today would change', async () => {
    const cwd = project();
    await call(['run', 'Tone', '--case', 'greeting'], cwd);
    const same = await call(['runs', 'verify', 'last'], cwd);
    expect([same.code, same.stdout]).toEqual([0, expect.stringContaining('The files of today make the same.')]);
    write(cwd, 'config/agents/Tone/v1.json', { ...toneAgent, purpose_text: 'Choose the tone well.' });
    const differs = await call(['runs', 'verify', 'last'], cwd);
    expect(differs.code).toBe(1);
    expect(differs.stdout).toContain('The frozen config is as it was written');
    expect(differs.stdout).toContain('config/agents/Tone/v1.json, layer agent: says something else there');
  });

  test('sees that the frozen config was made writable and changed', async () => {
    const cwd = project();
    const { metadata } = (await json(['run', 'Tone', '--case', 'greeting'], cwd)) as { readonly metadata: { snapshot_path: string } };
    chmodSync(join(cwd, metadata.snapshot_path), 0o644);
    expect(await json(['runs', 'verify', 'last'], cwd)).toMatchObject({
      same: false,
      faults: [expect.stringContaining('can be written to')],
    });
    write(cwd, metadata.snapshot_path, read(cwd, metadata.snapshot_path).replace('You judge', 'I judge'));
    const { code, stdout } = await call(['runs', 'verify', 'last'], cwd);
    expect([code, stdout]).toEqual([1, expect.stringContaining('was changed after it was written')]);
  });

  test('refuses a run there is not', async () => {
    expect((await call(['runs', 'verify', 'abcdef'], project())).code).toBe(2);
  });
});
