import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Approvals } from '../../client/panels/run/approvals.js';
import type { Decision, ViewApproval } from '../../client/panels/run/messages.js';
import { isTrustedTool, ToolGrants, toTrustedTools } from '../../client/ports/toolGrants.js';
import type { Tool, ToolRequest } from '../../core/tools/types.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** What VS Code keeps for an extension. */
function memento() {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: (key: string) => values.get(key),
    update: async (key: string, value: unknown) => {
      if (value === undefined) values.delete(key);
      else values.set(key, JSON.parse(JSON.stringify(value)));
    },
  } as unknown as ConstructorParameters<typeof ToolGrants>[0];
}

const writeFile: Tool = {
  name: 'write_file',
  description: 'Writes a file.',
  parameters: { type: 'object' },
  idempotent: false,
  side_effects: true,
  origin: { type: 'mcp', client_id: 'files', name: 'write_file' },
  needs_approval: true,
  call: async () => ({ content: '' }),
};

function setUp({
  trustedTools = {},
  isTrusted = true,
  memory = memento(),
}: {
  trustedTools?: unknown;
  isTrusted?: boolean;
  memory?: ReturnType<typeof memento>;
} = {}) {
  let shown: readonly ViewApproval[] = [];
  const grants = new ToolGrants(memory, '/project');
  let last = 0;
  const approvals = new Approvals({
    grants,
    sha256,
    trustedTools: () => trustedTools,
    isTrusted: () => isTrusted,
    runs: 'A2@v1',
    nextId: () => ++last,
    onChange: (waiting) => {
      shown = waiting;
    },
  });
  const controller = new AbortController();
  const ask = (tool: Tool = writeFile, asker: Partial<Pick<ToolRequest, 'agent_name' | 'team' | 'task' | 'policy'>> = {}) => {
    const request = {
      run_id: 'r',
      agent_name: 'A2',
      agent_version: 'v1',
      name: tool.name,
      tool,
      input: { path: 'a.txt' },
      signal: controller.signal,
    };
    return approvals.approve({ ...request, ...asker } satisfies ToolRequest);
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const decide = async (decision: Decision) => {
    await settled();
    approvals.decide(shown[0]?.id ?? -1, decision);
  };
  return { approvals, ask, decide, settled, controller, memory, grants, shown: () => shown };
}

describe('a call of a tool', () => {
  test('is asked about each time where a policy wants it, whatever was allowed before', async () => {
    const policy = { words: 'approval before files/*', place: 'config/system.json#/policy/only_after_approval/0', isSure: true };
    const { ask, decide, settled, shown } = setUp({ trustedTools: { files: ['write_file'] } });
    const [first, second] = [ask(writeFile, { policy }), ask(writeFile, { policy })];
    await settled();
    expect(shown().map((question) => question.policy)).toEqual(Array(2).fill(`${policy.words} (${policy.place})`));
    await decide('always');
    expect(await first).toBe('allow');
    expect(shown()).toHaveLength(1);
    await decide('deny');
    expect(await second).toBe('deny');
    const third = ask(writeFile, { policy });
    await settled();
    expect(shown()).toHaveLength(1);
    await decide('once');
    expect(await third).toBe('allow');
    // Without a policy, it is trusted.
    expect(await ask()).toBe('allow');
  });

  test('waits for approval, shown with its origin and its input', async () => {
    const { ask, decide, settled, shown } = setUp();
    const answer = ask();
    await settled();
    expect(shown()).toMatchObject([
      { tool: 'write_file', origin: 'files', description: 'Writes a file.', input: '{\n  "path": "a.txt"\n}', agent: '', place: '' },
    ]);
    await decide('once');
    expect(await answer).toBe('allow');
    expect(shown()).toEqual([]);
  });

  test('says which agent asks where it is not the one that was started, and in which team and task', async () => {
    const { ask, controller, settled, shown } = setUp();
    const answers = [ask(writeFile, { agent_name: 'Aide' }), ask(writeFile, { team: 'review', task: 'fix', agent_name: 'Aide' })];
    await settled();
    expect(shown()).toMatchObject([
      { agent: 'Aide@v1', place: '' },
      { agent: 'Aide@v1', place: 'review / fix' },
    ]);
    expect(Object.keys(shown()[0]!).sort()).toEqual(['agent', 'deeds', 'description', 'id', 'input', 'origin', 'place', 'policy', 'tool']);
    controller.abort();
    await Promise.allSettled(answers);
  });

  test('that was allowed once is asked for again', async () => {
    const { ask, decide, settled, shown } = setUp();
    const first = ask();
    await decide('once');
    await first;
    void ask();
    await settled();
    expect(shown()).toHaveLength(1);
  });

  test('that is denied is denied once', async () => {
    const { ask, decide, settled, shown } = setUp();
    const first = ask();
    await decide('deny');
    expect(await first).toBe('deny');
    void ask();
    await settled();
    expect(shown()).toHaveLength(1);
  });

  test('of a tool allowed for the run is not asked for again in it, and those that wait go on', async () => {
    const { ask, decide, shown, memory } = setUp();
    const both = [ask(), ask()];
    await decide('run');
    expect(await Promise.all(both)).toEqual(['allow', 'allow']);
    expect(await ask()).toBe('allow');
    expect(shown()).toEqual([]);
    // The next run knows nothing of it.
    const next = setUp({ memory });
    void next.ask();
    await next.settled();
    expect(next.shown()).toHaveLength(1);
  });

  test('of a tool allowed for good is asked for again when the tool has changed', async () => {
    const first = setUp();
    const answer = first.ask();
    await first.decide('always');
    await answer;
    const next = setUp({ memory: first.memory });
    expect(await next.ask()).toBe('allow');
    void next.ask({ ...writeFile, description: 'Writes a file. Also mails it.' });
    await next.settled();
    expect(next.shown()).toHaveLength(1);
    await next.grants.remove(next.grants.all());
    void next.ask();
    await next.settled();
    expect(next.shown()).toHaveLength(2);
  });

  test('is withdrawn with its run', async () => {
    const { ask, settled, shown, controller } = setUp();
    const answer = ask();
    await settled();
    controller.abort(new Error('cancelled'));
    await expect(answer).rejects.toThrow('cancelled');
    expect(shown()).toEqual([]);
    await expect(ask()).rejects.toThrow('cancelled');
  });

  test('needs no approval where the user trusts the tool, and gets none in an untrusted workspace', async () => {
    const trustedTools = { files: ['write_file'] };
    expect(await setUp({ trustedTools }).ask()).toBe('allow');
    expect(await setUp({ trustedTools, isTrusted: false }).ask()).toBe('deny');
  });
});

describe('the setting for trusted tools', () => {
  test.each([undefined, null, 'files', { files: 'write_file' }, { files: ['read_file'] }, { others: ['write_file'] }, []])(
    'does not trust a tool it does not name: %j',
    (setting) => expect(isTrustedTool(setting, writeFile)).toBe(false),
  );

  test('is given to runs without what has not its form', () => {
    expect(toTrustedTools({ files: ['read_file', 7], others: 'read_file', more: null })).toEqual({ files: ['read_file'] });
    for (const setting of [undefined, null, 'files', 7]) expect(toTrustedTools(setting)).toEqual({});
  });

  test('goes by what the server calls the tool', () => {
    const renamed = { ...writeFile, name: 'files_write_file' };
    expect(isTrustedTool({ files: ['write_file'] }, renamed)).toBe(true);
    expect(isTrustedTool({ files: ['write_file'] }, { ...writeFile, origin: { type: 'skill' } })).toBe(false);
  });
});
