import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { createNodeHost } from '../../server/nodeHost.js';
import { largeAgent } from '../support/largeAgents.js';
import { testWith } from '../support/needs.js';
import { type Harness, openServer } from '../support/serverHarness.js';
import { temporaryFolder } from '../support/temporaryFolder.js';
import { agentText, llmText } from './agents.js';
import { actionsFor, openProject } from './quickFixes/support.js';

const path = 'config/agents/A2/v1.json';
const schema = (...values: readonly string[]) => ({
  type: 'object',
  properties: { tone: { type: 'string', enum: values } },
  required: ['tone'],
  additionalProperties: false,
});
const withValues = (...values: readonly string[]) => agentText({ output_schema: schema(...values), enums: { tone: values } });
const files = { [path]: withValues('a', 'b'), 'config/llms/main.json': llmText('main') };

function git(folder: string, ...args: readonly string[]): void {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', '-c', 'commit.gpgsign=false'];
  execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'ignore' });
}

function commit(folder: string): void {
  if (!existsSync(`${folder}/.git`)) git(folder, 'init', '-q', '-b', 'main');
  git(folder, 'add', '.');
  git(folder, 'commit', '-q', '-m', 'state');
}

async function codesOf(server: Harness): Promise<readonly unknown[]> {
  const { items } = await server.service.diagnose(server.uri(path));
  return items.map(({ code }) => code);
}

const changed = 'schema-changed-in-place';
const soon = { timeout: 10_000, interval: 20 };

describe('an agent that is open', () => {
  testWith('git', 'is compared with its last commit, as soon as that is known', async () => {
    const server = await openServer(files);
    commit(server.root);
    server.edit(path, withValues('a'));
    await vi.waitFor(async () => expect(await codesOf(server)).toEqual([changed]), soon);
    server.edit(path, withValues('a', 'b'));
    expect(await codesOf(server)).toEqual([]);
    server.edit(path, withValues('b'));
    expect(await codesOf(server)).toEqual([changed]);
  });

  testWith('git', 'is told of to those who show it, when it differs', async () => {
    const server = await openServer(files);
    commit(server.root);
    server.edit(path, withValues('a'));
    await codesOf(server);
    const before = server.affected.filter((one) => one === path).length;
    await vi.waitFor(() => expect(server.affected.filter((one) => one === path).length).toBeGreaterThan(before), soon);
  });

  testWith('git', 'is compared with the next commit after that has been made', async () => {
    const server = await openServer(files);
    commit(server.root);
    server.edit(path, withValues('a'));
    await vi.waitFor(async () => expect(await codesOf(server)).toEqual([changed]), soon);
    server.write(path, withValues('a'));
    commit(server.root);
    await vi.waitFor(async () => expect(await codesOf(server)).toEqual([]), soon);
    server.edit(path, withValues('a', 'b'));
    expect(await codesOf(server)).toEqual([changed]);
  });

  testWith('git', 'is looked for again when it is opened again', async () => {
    const server = await openServer(files);
    server.edit(path, withValues('a'));
    expect(await codesOf(server)).toEqual([]);
    await vi.waitFor(async () => expect(await codesOf(server)).toEqual([]), soon);
    commit(server.root);
    server.close(path);
    server.edit(path, withValues('a'));
    await vi.waitFor(async () => expect(await codesOf(server)).toEqual([changed]), soon);
  });

  testWith('git', 'is offered the next version, with this one as it was committed', async () => {
    const server = await openProject(files);
    commit(server.root);
    server.edit(path, withValues('a'));
    await vi.waitFor(async () => expect(await codesOf(server)).toEqual([changed]), soon);
    const actions = await actionsFor(server, path, changed);
    expect(actions.map(({ title }) => title)).toContain('Make this v2 and restore v1');
  });
});

test('a large agent that is typed in is compared as one that was opened so', async () => {
  const text = JSON.stringify(largeAgent, null, 2);
  const edits = ['"string"', '"integer"', '"string"', '"integer", "title": "x"'];
  const openCommitted = () => ({ read: () => Promise.resolve(new Map([[path, text]])), close: () => undefined });
  const typed = await openServer({ [path]: text, 'config/llms/main.json': llmText('main') }, { host: { openCommitted } });
  typed.edit(path, text);
  await codesOf(typed);
  const at = text.indexOf('"type": "string"', text.length / 2) + '"type": '.length;
  for (const edit of edits) {
    const now = text.slice(0, at) + edit + text.slice(at + '"string"'.length);
    typed.edit(path, now);
    const fresh = await openServer({ [path]: now, 'config/llms/main.json': llmText('main') }, { host: { openCommitted } });
    fresh.edit(path, now);
    const both = async () => [await fresh.service.diagnose(fresh.uri(path)), await typed.service.diagnose(typed.uri(path))];
    await both();
    await vi.waitFor(async () => {
      const [one, other] = await both();
      expect(other).toEqual(one);
      expect(one!.items.some(({ code }) => code === changed)).toBe(edit !== '"string"');
    }, soon);
  }
});

describe('nothing is asked', () => {
  const committed = () => {
    const asked: (readonly string[])[] = [];
    const openCommitted = () => ({
      read(paths: readonly string[]) {
        asked.push(paths);
        return Promise.resolve(new Map([[path, withValues('a', 'b')]]));
      },
      close: () => undefined,
    });
    return { asked, host: { openCommitted } };
  };

  test('about files that are not open', async () => {
    const { asked, host } = committed();
    const server = await openServer(files, { host });
    expect(await codesOf(server)).toEqual([]);
    await server.service.workspace.ready();
    expect(asked).toEqual([]);
  });

  test('where the rule is off', async () => {
    const { asked, host } = committed();
    const server = await openServer({ ...files, 'agentstack.json': `{"rules": {"${changed}": "off"}}` }, { host });
    server.edit(path, withValues('a'));
    expect(await codesOf(server)).toEqual([]);
    await server.service.workspace.ready();
    expect(asked).toEqual([]);
  });

  test('twice about the same text', async () => {
    const { asked, host } = committed();
    const server = await openServer(files, { host });
    for (const value of ['a', 'b', 'c']) {
      server.edit(path, withValues(value));
      await codesOf(server);
      await server.service.workspace.ready();
    }
    expect(asked).toEqual([[path]]);
    expect(await codesOf(server)).toContain(changed);
  });

  test('of git in a workspace that is not trusted', () => {
    const here = temporaryFolder();
    mkdirSync(join(here, '.git'));
    expect(createNodeHost({ trusted: true }).openCommitted(here, () => undefined)).toBeDefined();
    expect(createNodeHost({ trusted: false }).openCommitted(here, () => undefined)).toBeUndefined();
  });
});
