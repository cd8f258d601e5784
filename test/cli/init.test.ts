import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { agentstack, listFiles, read, temporaryProject, toneProject } from './command.js';

const starter = [
  'agentstack.json',
  'config/agents/TicketRouter/v1.json',
  'config/llms/offline.json',
  'config/payloads/TicketRouter/example.json',
  'config/system.json',
];

describe('init', () => {
  test('starts a project in an empty folder that checks clean and runs without a key', async () => {
    const cwd = temporaryProject({});
    const { code, stdout, stderr } = await agentstack(['init'], { cwd });
    expect(stdout.split('\n').filter(Boolean).sort()).toEqual(starter.map((path) => `created ${path}`).sort());
    expect(stderr).toMatch(/^Next:\n {2}agent-stack run TicketRouter --case example {2,}offline, without a key\n/);
    expect(code).toBe(0);
    expect(listFiles(cwd)).toEqual(starter);
    for (const path of starter) expect(JSON.parse(read(cwd, path)).$schema, path).toMatch(/^agent-stack:\w+\.schema\.json$/);
    expect(await agentstack(['check', '--max-warnings', '0'], { cwd })).toMatchObject({ code: 0, stdout: 'No problems in 5 files.\n' });
    const ran = await agentstack(['run', 'TicketRouter', '--case', 'example'], { cwd });
    expect(JSON.parse(ran.stdout)).toMatchObject({ category: expect.any(String) });
    expect(ran.code).toBe(0);
  });

  test('makes the folder that is named, and leaves a package.json beside it alone', async () => {
    const cwd = temporaryProject({ 'my bots/package.json': { name: 'bots' } });
    const { stdout, stderr } = await agentstack(['init', 'my bots', '--agent', 'Summary', '--json'], { cwd });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout).created).toContain('config/agents/Summary/v1.json');
    expect(JSON.parse(read(cwd, 'my bots/package.json'))).toEqual({ name: 'bots' });
    expect((await agentstack(['init', 'new/deep'], { cwd })).stderr).toContain('cd new/deep\n');
    expect((await agentstack(['check'], { cwd: join(cwd, 'new/deep') })).code).toBe(0);
  });

  test('another model changes nothing until an agent asks for it', async () => {
    const cwd = temporaryProject({});
    await agentstack(['init'], { cwd });
    await agentstack(['new', 'llm', 'anthropic', '--provider', 'anthropic'], { cwd });
    expect((await agentstack(['run', 'TicketRouter', '--case', 'example'], { cwd })).code).toBe(0);
  });

  test('leaves a project as it is', async () => {
    const cwd = toneProject();
    const before = listFiles(cwd);
    const { code, stderr } = await agentstack(['init'], { cwd });
    expect(stderr).toMatch(
      /^error: This folder is already a project \(config\/\S+\); nothing was changed\. Create an agent with `agent-stack new agent NAME`\.\n$/,
    );
    expect(code).toBe(2);
    expect(listFiles(cwd)).toEqual(before);
    const begun = temporaryProject({});
    await agentstack(['init'], { cwd: begun });
    expect((await agentstack(['init'], { cwd: begun })).code).toBe(2);
  });

  test('never overwrites a file', async () => {
    const cwd = temporaryProject({ 'config/system.json': { agent_defaults: {} } });
    const { code, stderr } = await agentstack(['init'], { cwd });
    expect(stderr).toContain('config/system.json already exists and is not overwritten.');
    expect(code).toBe(2);
    expect(listFiles(cwd)).toEqual(['config/system.json']);
  });

  test('goes on where an earlier attempt was killed, wherever that was', async () => {
    const cwd = temporaryProject({});
    await agentstack(['init'], { cwd });
    const whole = new Map(starter.map((path) => [path, read(cwd, path)]));
    const written = [
      'config/system.json',
      'config/llms/offline.json',
      'config/payloads/TicketRouter/example.json',
      'config/agents/TicketRouter/v1.json',
    ];
    for (let count = 0; count <= written.length; count++) {
      rmSync(join(cwd, 'agentstack.json'));
      for (const path of written.slice(count)) rmSync(join(cwd, path));
      expect((await agentstack(['init'], { cwd })).code, `after ${count} files`).toBe(0);
      expect(new Map(starter.map((path) => [path, read(cwd, path)]))).toEqual(whole);
    }
  });

  test('says when a folder above is a project too', async () => {
    const cwd = toneProject();
    mkdirSync(join(cwd, 'inner'));
    const { code, stderr } = await agentstack(['init'], { cwd: join(cwd, 'inner') });
    expect(stderr).toMatch(/^Note: .*, a folder above, is a project too\./);
    expect(code).toBe(0);
  });

  test.each([
    [['init', '--agent', 'a/b'], 'is not a valid name'],
    [['init', 'file.txt'], 'file.txt is not a folder and cannot be created'],
  ])('%j is refused', async (args, words) => {
    const cwd = temporaryProject({});
    writeFileSync(join(cwd, 'file.txt'), '');
    const { code, stderr } = await agentstack(args, { cwd });
    expect(stderr).toContain(words);
    expect(code).toBe(2);
    expect(listFiles(cwd)).toEqual(['file.txt']);
  });
});
