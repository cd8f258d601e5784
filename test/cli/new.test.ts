import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nextVersion } from '../../core/config/nextVersion.js';
import { temporaryPlace } from '../../core/node/temporaryFiles.js';
import { agentstack, listFiles, offlineProfile, read, temporaryProject, toneAgent, toneProject, write } from './command.js';

describe('new agent', () => {
  test.each([['Chooser'], ['Writer'], ['Extractor']])('creates a %s that checks clean and runs at once', async (mode) => {
    const cwd = toneProject();
    const { code, stdout, stderr } = await agentstack(['new', 'agent', 'Router', '--mode', mode], { cwd });
    expect(stdout).toBe('created config/agents/Router/v1.json\ncreated config/payloads/Router/example.json\n');
    expect(stderr).toBe('Try it: agent-stack run Router --case example\n');
    expect(code).toBe(0);
    expect(JSON.parse(read(cwd, 'config/agents/Router/v1.json'))).toMatchObject({ agent_name: 'Router', version: 'v1', mode });
    expect((await agentstack(['check'], { cwd })).stdout).toBe('No problems in 5 files.\n');
    const ran = await agentstack(['run', 'Router', '--case', 'example'], { cwd });
    expect(JSON.parse(ran.stdout)).toBeTypeOf('object');
    expect(ran.code).toBe(0);
    const { response_format } = JSON.parse((await agentstack(['compose', 'Router', '--case', 'example', '--json'], { cwd })).stdout);
    expect(response_format.json_schema.strict).toBe(true);
  });

  const labels = {
    type: 'object',
    properties: { label: { type: 'string', enum: ['a', 'b'] }, why: { type: 'string' } },
    required: ['label', 'why'],
    additionalProperties: false,
  };
  const printed = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...labels };

  test.each([
    ['as Zod prints it', printed],
    ['as a response_format', { type: 'json_schema', json_schema: { name: 'labels', strict: true, schema: labels } }],
    ['as a text format', { format: { type: 'json_schema', name: 'labels', strict: true, schema: printed } }],
  ])('takes a schema %s', async (_form, schema) => {
    const cwd = toneProject({ 'labels.json': schema });
    expect((await agentstack(['new', 'agent', 'Router', '--schema', 'labels.json'], { cwd })).stderr).toContain('Try it: ');
    const agent = JSON.parse(read(cwd, 'config/agents/Router/v1.json'));
    expect(agent.output_schema).toEqual(labels);
    expect(agent.mode).toBeUndefined();
    expect((await agentstack(['check'], { cwd })).stdout).toBe('No problems in 5 files.\n');
    const { messages } = JSON.parse((await agentstack(['compose', 'Router', '--case', 'example', '--json'], { cwd })).stdout);
    expect(messages.at(-1).content).toMatch(/^Since the update/);
    expect((await agentstack(['run', 'Router', '--case', 'example'], { cwd })).code).toBe(0);
  });

  test.each([
    ['a list', { type: 'array', items: {} }, 'expected the JSON Schema of an object'],
    ['no schema', { a: 1 }, 'expected the JSON Schema of an object'],
    ['no JSON', 'nonsense', 'labels.json'],
  ])('refuses %s', async (_what, schema, words) => {
    const cwd = toneProject({ 'labels.json': schema });
    const { code, stderr } = await agentstack(['new', 'agent', 'Router', '--schema', 'labels.json'], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
    expect(listFiles(cwd)).toHaveLength(4);
  });

  test('starts a project in a folder that is named, with a model so that it runs', async () => {
    const cwd = temporaryProject({});
    const { stdout } = await agentstack(['new', 'agent', 'First', '--project', '.', '--json'], { cwd });
    expect(JSON.parse(stdout)).toEqual({
      created: ['config/agents/First/v1.json', 'config/payloads/First/example.json', 'config/llms/offline.json'],
    });
    expect((await agentstack(['check', '--max-warnings', '0'], { cwd })).code).toBe(0);
    expect((await agentstack(['run', 'First', '--case', 'example'], { cwd })).code).toBe(0);
  });

  test('starts no project where none was named', async () => {
    const cwd = temporaryProject({});
    const { code, stderr } = await agentstack(['new', 'agent', 'First'], { cwd });
    expect(stderr).toContain('or start one with `agent-stack init`.');
    expect(code).toBe(2);
    expect((await agentstack(['new', 'agent', 'First', '--project', 'nowhere'], { cwd })).stderr).toBe(
      'error: --project nowhere: there is no such folder.\n',
    );
    expect(listFiles(cwd)).toEqual([]);
  });

  test('never touches an agent that is there, in any letter case', async () => {
    const cwd = toneProject();
    const before = read(cwd, 'config/agents/Tone/v1.json');
    for (const name of ['Tone', 'tone']) {
      const { code, stderr } = await agentstack(['new', 'agent', name], { cwd });
      expect(stderr).toBe(
        'error: An agent named Tone already exists (config/agents/Tone/v1.json). Next version: `agent-stack new version Tone`.\n',
      );
      expect(code).toBe(2);
    }
    expect(read(cwd, 'config/agents/Tone/v1.json')).toBe(before);
    expect(listFiles(cwd)).toHaveLength(3);
  });

  test('leaves a case that is there as it is', async () => {
    const cwd = toneProject({ 'config/payloads/Router/example.json': { input: { mine: 1 } } });
    expect((await agentstack(['new', 'agent', 'Router'], { cwd })).code).toBe(0);
    expect(JSON.parse(read(cwd, 'config/payloads/Router/example.json'))).toEqual({ input: { mine: 1 } });
  });

  test.each([['../evil'], ['/tmp/evil'], ['a/b'], ['.hidden'], ['a b'], ['名'], ['x'.repeat(65)], ['']])(
    'refuses the name %j',
    async (name) => {
      const cwd = toneProject();
      const { code, stderr } = await agentstack(['new', 'agent', '--', name], { cwd });
      expect(stderr).toMatch(/^error: .* is not a valid name/);
      expect(code).toBe(2);
      expect(listFiles(cwd)).toHaveLength(3);
    },
  );

  test('goes on where an earlier attempt was killed between the files', async () => {
    const cwd = temporaryProject({});
    const attempt = () => agentstack(['new', 'agent', 'First', '--project', '.'], { cwd });
    expect((await attempt()).code).toBe(0);
    const files = listFiles(cwd);
    rmSync(join(cwd, 'config/agents/First/v1.json'));
    const gone = spawnSync(process.execPath, ['-e', '']).pid;
    const temporary = temporaryPlace(join(cwd, 'config/payloads/First/example.json')).replace(`.${process.pid}-`, `.${gone}-`);
    writeFileSync(temporary, '{');
    expect(await attempt()).toMatchObject({ code: 0, stdout: 'created config/agents/First/v1.json\n' });
    expect(listFiles(cwd)).toEqual(files);
  });

  test('refuses the name of a Windows device', async () => {
    const cwd = toneProject();
    for (const args of [
      ['agent', 'con'],
      ['agent', 'Com1'],
      ['version', 'Tone', '--to', 'nul'],
      ['version', 'Tone', '--to', 'aux.1'],
    ]) {
      const { code, stderr } = await agentstack(['new', ...args], { cwd });
      expect(stderr).toContain('not the name of a Windows device');
      expect(code).toBe(2);
    }
  });

  test('keeps to the config folder that agentstack.json names', async () => {
    const cwd = temporaryProject({ 'agentstack.json': { config_dir: 'bots' }, 'bots/llms/offline.json': offlineProfile });
    expect((await agentstack(['new', 'agent', 'Router'], { cwd })).stdout).toContain('created bots/agents/Router/v1.json\n');
    expect((await agentstack(['check'], { cwd })).code).toBe(0);
  });
});

describe('new version', () => {
  test('copies the newest by natural order to the next and changes nothing but the version', async () => {
    const text = `\ufeff${JSON.stringify({ ...toneAgent, version: 'v10', purpose_text: 'version: "v10"' }, null, '\t').replaceAll('\n', '\r\n')}\r\n`;
    const cwd = toneProject({ 'config/agents/Tone/v2.json': { ...toneAgent, version: 'v2' }, 'config/agents/Tone/v10.json': text });
    const { code, stdout } = await agentstack(['new', 'version', 'Tone'], { cwd });
    expect(stdout).toBe('created config/agents/Tone/v11.json from config/agents/Tone/v10.json\n');
    expect(code).toBe(0);
    expect(read(cwd, 'config/agents/Tone/v11.json')).toBe(text.replace('"version": "v10"', '"version": "v11"'));
    expect((await agentstack(['check'], { cwd })).code).toBe(0);
    expect((await agentstack(['compose', 'Tone', '--set', 'text=x'], { cwd })).stdout).toContain('Agent: Tone, version v11');
  });

  test('copies a version that is named, to a name that is given', async () => {
    const cwd = toneProject({ 'config/agents/Tone/v2.json': { ...toneAgent, version: 'v2', purpose_text: 'Second.' } });
    const { stdout } = await agentstack(['new', 'version', 'Tone@v1', '--to', 'v1-short', '--json'], { cwd });
    expect(JSON.parse(stdout)).toEqual({ created: ['config/agents/Tone/v1-short.json'], copied_from: 'config/agents/Tone/v1.json' });
    expect(JSON.parse(read(cwd, 'config/agents/Tone/v1-short.json'))).toEqual({ ...toneAgent, version: 'v1-short' });
  });

  test.each([['v1'], ['V1']])('never overwrites: --to %s', async (to) => {
    const cwd = toneProject();
    const { code, stderr } = await agentstack(['new', 'version', 'Tone', '--to', to], { cwd });
    expect(stderr).toContain('already exists and is not overwritten. Versions: v1.');
    expect(code).toBe(2);
    expect(listFiles(cwd)).toHaveLength(3);
  });

  test('says which file it cannot copy, and copies another that is named', async () => {
    const cwd = toneProject();
    mkdirSync(join(cwd, 'config/agents/Tone/v2.json'));
    const { code, stderr } = await agentstack(['new', 'version', 'Tone'], { cwd });
    expect(stderr).toMatch(/^error: config\/agents\/Tone\/v2\.json cannot be read: it is a folder\./);
    expect(code).toBe(2);
    expect((await agentstack(['new', 'version', 'Tone@v1'], { cwd })).stdout).toBe(
      'created config/agents/Tone/v3.json from config/agents/Tone/v1.json\n',
    );
  });

  test.each([
    ['Tonne', 'There is no agent "Tonne". Did you mean "Tone"?'],
    ['Tone@v7', 'Tone has no version "v7". Versions: v1.'],
    ['Tone@', '"Tone@" names no agent.'],
    ['../Tone', 'There is no agent "../Tone".'],
  ])('%s: says what there is', async (spec, words) => {
    const { code, stderr } = await agentstack(['new', 'version', spec], { cwd: toneProject() });
    expect(stderr).toContain(`error: ${words}`);
    expect(code).toBe(2);
  });

  test('refuses an illegal version and one that is not JSON', async () => {
    const cwd = toneProject();
    expect((await agentstack(['new', 'version', 'Tone', '--to', '../v2'], { cwd })).stderr).toContain('is not a valid version');
    write(cwd, 'config/agents/Tone/v1.json', '{');
    expect((await agentstack(['new', 'version', 'Tone'], { cwd })).stderr).toContain('cannot be copied: it is not valid JSON');
    expect(listFiles(cwd)).toHaveLength(3);
  });

  test.each([
    ['v1', 'v2'],
    ['v9', 'v10'],
    ['v09', 'v10'],
    ['2.1.3', '3.0.0'],
    ['v1-beta.4', 'v2-beta.0'],
    ['99999999999999999999', '100000000000000000000'],
    ['latest', undefined],
    ['2026-11-21', undefined],
    [`${'9'.repeat(64)}`, undefined],
  ])('after %s comes %s', (version, next) => expect(nextVersion(version, [version])).toBe(next));

  test('a next version that is taken is passed over', () => expect(nextVersion('v1', ['v1', 'V2', 'v3'])).toBe('v4'));
});
