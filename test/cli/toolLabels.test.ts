import { describe, expect, test } from 'vitest';
import { agentstack, read, temporaryProject, write } from './command.js';

const hash = '0'.repeat(64);
const pinned = (more: object = {}) => ({ description: 'Does it.', parameters: { type: 'object' }, hash, ...more });
const lock = {
  format: 1,
  servers: {
    mail: {
      tools: { send: pinned({ annotations: { readOnlyHint: false } }), delete_all: pinned(), delete_one: pinned(), search: pinned() },
    },
    old: { tools: { moved: pinned({ changed: null }) } },
  },
};

function project(lockText = `${JSON.stringify(lock, null, 2)}\n`): string {
  const cwd = temporaryProject({
    // A server that is started would fail.
    'config/mcp.json': { servers: { mail: { command: 'nowhere' }, old: { command: 'nowhere' }, fresh: { command: 'nowhere' } } },
    'agentstack.json': { skills: { stock: { description: 'Counts.' } } },
  });
  write(cwd, 'config/mcp.lock.json', lockText);
  return cwd;
}
const label = (cwd: string, ...entries: string[]) => agentstack(['tools', ...entries.flatMap((entry) => ['--label', entry])], { cwd });
const toolsOf = (cwd: string) => JSON.parse(read(cwd, 'config/mcp.lock.json')).servers.mail.tools;

describe('tools --label', () => {
  test('writes what tools do beside their pins, and keeps all else as it is written', async () => {
    const cwd = project();
    const before = read(cwd, 'config/mcp.lock.json');
    expect(
      await label(cwd, 'mail/delete_*=changes,destroys', 'mail/send=reads:private, sends', 'search=none', 'mail/delete_one=changes'),
    ).toEqual({
      code: 0,
      stdout: 'mail/delete_all: changes, destroys\nmail/delete_one: changes\nmail/send: reads:private, sends\nmail/search: none\n',
      stderr: 'Wrote config/mcp.lock.json.\n',
    });
    expect(toolsOf(cwd)).toEqual({
      send: { ...lock.servers.mail.tools.send, labels: { reads: 'private', sends: true } },
      delete_all: { ...pinned(), labels: { changes: true, destroys: true } },
      delete_one: { ...pinned(), labels: { changes: true } },
      search: { ...pinned(), labels: {} },
    });
    expect(await label(cwd, 'search=none')).toMatchObject({ code: 0, stderr: 'config/mcp.lock.json says so already.\n' });
    const json = await agentstack(['tools', '--label', 'mail/*=unlabelled', '--json'], { cwd });
    expect(JSON.parse(json.stdout)).toMatchObject({
      labelled: [{ client_id: 'mail', tool: 'send', labels: null }, {}, {}, {}],
      changed: true,
    });
    expect(read(cwd, 'config/mcp.lock.json')).toBe(before);
  });

  test.each([
    ['mail/sned=sends', 'No tool in the lock is named "mail/sned". Did you mean "mail/send"'],
    ['delete=sends', 'There are "send", "delete_all", "delete_one", "search" and "moved"'],
    ['fresh/x=sends', 'The tools of fresh have not been listed yet'],
    ['stock=sends', 'stock is a tool of your own, whose code says what it does'],
    ['calculator=none', 'calculator is built in'],
    ['mail/send=send', 'There is no label "send". Did you mean "sends"?'],
    ['mail/send=', 'There is no label "".'],
    ['mail/send=none,sends', 'stand alone'],
    ['mail/send=reads:private,reads:public', 'labelled reads:private'],
    ['mail/send', 'is not of the form SERVER/TOOL=LABELS'],
    ['=sends', 'is not of the form SERVER/TOOL=LABELS'],
    ['*=sends', 'Changed since pinned: old/moved. Accept it first'],
  ])('%s is refused, with all entries beside it', async (entry, words) => {
    const cwd = project();
    const before = read(cwd, 'config/mcp.lock.json');
    expect(await label(cwd, 'mail/send=sends', entry)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(words) });
    expect(read(cwd, 'config/mcp.lock.json')).toBe(before);
  });

  test('stands alone, and needs a lock', async () => {
    const cwd = project();
    for (const more of [['Helper'], ['--declare']])
      expect(await agentstack(['tools', ...more, '--label', 'mail/send=sends'], { cwd })).toMatchObject({ code: 2 });
    expect(await label(project('{}'), 'mail/send=sends')).toMatchObject({ code: 2, stderr: expect.stringContaining('mcp.lock.json') });
    const empty = temporaryProject({ 'agentstack.json': {} });
    expect(await label(empty, 'mail/send=sends')).toMatchObject({ code: 2, stderr: 'error: No tool in the lock is named "mail/send".\n' });
  });

  test('keeps a byte order mark from being in the way', async () => {
    const cwd = project(`\ufeff${JSON.stringify(lock)}`);
    expect(await label(cwd, 'mail/send=sends')).toMatchObject({ code: 0 });
    expect(toolsOf(cwd).send.labels).toEqual({ sends: true });
  });
});
