import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type ForeignPermits, foreignPermits } from '../../core/inventory/foreignPermits.js';
import { readInventory } from '../../core/inventory/readInventory.js';
import { memoryFiles } from '../support/memoryFiles.js';
import { claudeCases, type DialectCase, kiroCases, opencodeCases } from './permissionDialects.js';

const dialects = { 'Claude Code': claudeCases, opencode: opencodeCases, 'Kiro, Amazon Q': kiroCases } as const;

const permitsOf = async (files: Readonly<Record<string, string>>) => foreignPermits(await readInventory(memoryFiles(files)));

/** The rules of a repository that are dead or decided by another one, as a case names them. */
function namesIn({ rules }: ForeignPermits, { files }: DialectCase): readonly string[] {
  const isOne = Object.keys(files).length === 1;
  return rules
    .filter(({ kind }) => kind === 'dead' || kind === 'shadowed')
    .flatMap(({ kind, code, file, pointer, related = [] }) =>
      // The finding is at the pattern that has to move.
      (code === 'opencode/permission-shadowed' ? related : [{ file, pointer }]).map(
        (place) => `${kind} ${isOne ? '' : place.file}${place.pointer}`,
      ),
    )
    .sort();
}

/** What is left of a list without each of the others once. */
function without(names: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...names];
  for (const name of others) if (left.includes(name)) left.splice(left.indexOf(name), 1);
  return left;
}

/** What the documents decide and the rules do not tell. */
const missed = ['Kiro, Amazon Q: classes and counts of expressions'];

test('docs/other-tools.md prints how many rules of the cases are found, and none is invented', async () => {
  const rows: string[] = [];
  const wrong: string[] = [];
  let [expected, found] = [0, 0];
  for (const [tool, cases] of Object.entries(dialects)) {
    let [all, hits] = [0, 0];
    for (const entry of cases) {
      const names = namesIn(await permitsOf(entry.files), entry);
      const invented = without(names, entry.expected);
      if (invented.length > 0) wrong.push(`${tool}: ${entry.title}: invented ${invented.join(', ')}`);
      const lost = without(entry.expected, names);
      if (lost.length > 0) wrong.push(`${tool}: ${entry.title}`);
      all += entry.expected.length;
      hits += entry.expected.length - lost.length;
    }
    rows.push(`| ${tool} | ${cases.length} | ${all} | ${hits} | 0 |`);
    expected += all;
    found += hits;
  }
  expect(wrong).toEqual(missed);
  expect(found / expected).toBeGreaterThanOrEqual(0.98);
  const page = readFileSync(new URL('../../docs/other-tools.md', import.meta.url), 'utf8');
  for (const row of rows) expect(page).toContain(row);
});

const json = JSON.stringify;

/** Each power of an agent in one line: its outcome, the rule that decides, and the exceptions. */
async function powersIn(files: Readonly<Record<string, string>>, agent: string): Promise<Record<string, string>> {
  const found = (await permitsOf(files)).agents.find((entry) => entry.agent === agent);
  const lines = Object.entries(found?.powers ?? {}).map(([power, { outcome, by, except }]) => {
    const parts = except.map((part) => `${part.outcome} ${part.what}`);
    return [power, [`${outcome}${by === undefined ? '' : ` by ${by.text}`}`, ...parts].join('; ')];
  });
  const servers = (found?.servers ?? []).map(({ server, tools, outcome, except }) => [
    server,
    [outcome, ...(tools ?? []).map((tool) => `only ${tool}`), ...except.map((part) => `${part.outcome} ${part.what}`)].join('; '),
  ]);
  return Object.fromEntries([...lines, ...servers]);
}

const claudeFiles = {
  '.claude/settings.json': json({
    permissions: {
      allow: ['Bash(npm test *)', 'Edit(src/**)', 'mcp__git__log', 'Bash(rm x)'],
      ask: ['Bash(git push *)'],
      deny: ['Read(./.env)', 'Bash(rm *)', 'WebFetch'],
    },
  }),
  '.mcp.json': json({ mcpServers: { git: { command: 'git-mcp' } } }),
  '.claude/agents/free.md':
    '---\nname: free\ndescription: x\npermissionMode: bypassPermissions\nmcpServers:\n  - mail:\n      command: mail-mcp\n---\nx',
  '.claude/agents/narrow.md': '---\nname: narrow\ndescription: x\ntools: Read, mcp__git__log\n---\nx',
  '.claude/agents/less.md': '---\nname: less\ndescription: x\ndisallowedTools: Bash, mcp__git\n---\nx',
};

test('what the agents of Claude Code may do', async () => {
  expect(await powersIn(claudeFiles, 'the main conversation')).toEqual({
    read: 'allowed; never ./.env',
    write: 'asks; unknown ./.env; allowed src/**',
    send: 'never by WebFetch; asks WebSearch',
    run: 'asks; never rm *; allowed npm test *',
    git: 'asks; allowed log',
  });
  expect(await powersIn(claudeFiles, 'free')).toEqual({
    read: 'allowed by bypassPermissions; never ./.env',
    write: 'allowed by bypassPermissions; unknown ./.env',
    send: 'never by WebFetch; allowed WebSearch',
    run: 'allowed by bypassPermissions; never rm *; asks git push *',
    git: 'allowed',
    mail: 'allowed',
  });
  expect(await powersIn(claudeFiles, 'narrow')).toEqual({
    read: 'allowed; never ./.env',
    write: 'never by tools',
    send: 'never by tools',
    run: 'never by tools',
    git: 'asks; only log; allowed log',
  });
  expect(await powersIn(claudeFiles, 'less')).toMatchObject({
    run: 'never by disallowedTools: Bash',
    write: 'asks; unknown ./.env; allowed src/**',
  });
  const { agents } = await permitsOf(claudeFiles);
  expect(agents.filter(({ wider }) => wider.length > 0).map(({ agent, wider }) => [agent, wider.length])).toEqual([['free', 2]]);
});

test('the mode of a session decides what no rule does', async () => {
  const run = async (permissions: object) =>
    (await powersIn({ '.claude/settings.json': json({ permissions }) }, 'the main conversation')).run;
  const write = async (permissions: object) =>
    (await powersIn({ '.claude/settings.json': json({ permissions }) }, 'the main conversation')).write;
  expect(await run({ defaultMode: 'dontAsk', allow: ['Bash(ls *)'], ask: ['Bash(rm *)'] })).toBe('never by dontAsk; allowed ls *');
  expect(await run({ defaultMode: 'bypassPermissions', allow: ['Bash(ls *)'] })).toBe('allowed by bypassPermissions');
  expect(await run({ defaultMode: 'plan' })).toBe('unknown by plan');
  expect(await run({ defaultMode: 'auto' })).toBe('asks');
  expect(await write({ defaultMode: 'acceptEdits', deny: ['Edit(dist/**)'] })).toBe('allowed by acceptEdits; never dist/**');
  expect(await write({ defaultMode: 'plan' })).toBe('never by plan');
});

test('what the agents of opencode may do, by the last rule that matches', async () => {
  const files = {
    'opencode.json': json({
      permission: { '*': 'ask', bash: { '*': 'deny', 'git *': 'allow', 'git push *': 'ask' }, git_push: 'deny' },
      mcp: { git: { type: 'local', command: ['git-mcp'] }, off: { type: 'local', command: ['x'], enabled: false } },
      agent: { lead: { mode: 'primary', permission: { webfetch: 'deny' } }, off: { disable: true } },
    }),
    '.opencode/agent/writer.md':
      '---\ndescription: x\nmode: subagent\ntools:\n  bash: false\npermission:\n  edit:\n    "docs/*": allow\n---\nx',
  };
  expect(await powersIn(files, 'build')).toEqual({
    read: 'asks by *: ask',
    write: 'asks by *: ask',
    send: 'asks by *: ask',
    run: 'never by bash: *: deny; allowed git *; asks git push *',
    git: 'asks; never push',
    off: 'never',
  });
  expect(await powersIn(files, 'writer')).toMatchObject({ write: 'asks by *: ask; allowed docs/*', run: 'never by tools: bash: false' });
  const { agents } = await permitsOf(files);
  expect(agents.map(({ agent, role, wider }) => `${agent} ${role} ${wider.length}`)).toEqual([
    'build main 0',
    'writer subagent 1',
    'lead main 0',
  ]);
});

test('what the agents of Kiro may do', async () => {
  const files = {
    '.kiro/agents/a.json': json({
      name: 'a',
      tools: ['read', 'shell', 'subagent', '@git/log', '@git/push'],
      allowedTools: ['@git/log'],
      toolsSettings: {
        shell: { allowedCommands: ['git status'], deniedCommands: ['rm( .*)?'], denyByDefault: true },
        subagent: { availableAgents: ['b*'], trustedAgents: ['b'] },
      },
      mcpServers: { git: { command: 'git-mcp' }, other: { command: 'x' } },
    }),
    '.kiro/agents/b.json': json({ name: 'b', tools: ['write'], allowedTools: ['write'], resources: ['file://README.md'] }),
  };
  expect(await powersIn(files, 'a')).toEqual({
    read: 'allowed; unknown grep; unknown glob',
    write: 'never by tools',
    send: 'never by tools',
    run: 'never by denyByDefault; allowed git status; never rm( .*)?',
    git: 'asks; only log; only push; allowed log',
  });
  expect(await powersIn(files, 'b')).toMatchObject({ read: 'never by tools; allowed file://README.md', write: 'allowed by write' });
  const { rules, agents } = await permitsOf(files);
  expect(rules.map(({ code, severity }) => `${code} ${severity}`)).toEqual(['kiro/subagent-wider warning']);
  expect(agents.map(({ agent, wider }) => `${agent} ${wider.length}`)).toEqual(['a 0', 'b 1']);
});

/** The rules that are looser than they seem, and where a subagent gets more. */
const looseIn = async (files: Readonly<Record<string, string>>) =>
  (await permitsOf(files)).rules.filter(({ kind }) => kind === 'loose' || kind === 'wider').map(({ pointer }) => pointer);
const looseClaude = (permissions: object, more: object = {}) => looseIn({ '.claude/settings.json': json({ permissions, ...more }) });

test.each([
  [
    { allow: ['Bash(npx *)', 'Bash(docker exec:*)', 'Bash(npx vitest *)', 'Bash(npm *)'] },
    ['/permissions/allow/0', '/permissions/allow/1'],
  ],
  [{ allow: ['Bash(git*)', 'Bash(npm run test*)', 'Bash(* --version)'] }, ['/permissions/allow/0', '/permissions/allow/2']],
  [{ deny: ['Bash(rm)', 'Bash(git push)', 'Bash(npm run build --x)'] }, ['/permissions/deny/0', '/permissions/deny/1']],
  [{ deny: ['Bash(rm)', 'Bash(rm *)', 'Bash(git push)'], ask: ['Bash(git *)', 'Bash(git pull)'] }, ['/permissions/deny/2']],
  [{ deny: ['Read(.env)'], allow: ['Bash(python3 *)', 'Bash(cat *)', 'Bash'] }, ['/permissions/allow/0', '/permissions/allow/2']],
  [{ deny: ['WebFetch(domain:a.com)'], allow: ['Bash(curl *)', 'Bash(curl https://b.com)'] }, ['/permissions/allow/0']],
  [{ deny: ['Bash(curl http://a.com *)'] }, ['/permissions/deny/0']],
  [{ allow: ['mcp__git', 'mcp__git__log', 'mcp__stock__*'] }, ['/permissions/allow/0']],
  // Claude Code splits chained commands, so a prefix allows no other command.
  [{ allow: ['Bash(ls:*)', 'Bash(ls -la *)'] }, []],
])('what is looser than it seems in Claude Code: %j', async (permissions, expected) => {
  expect(await looseClaude(permissions)).toEqual(expected);
});

test('a sandbox holds what rules for paths and hosts do not', async () => {
  expect(await looseClaude({ deny: ['Read(.env)'], allow: ['Bash(node *)'] }, { sandbox: { enabled: true } })).toEqual([]);
});

test.each([
  ['tools: Read, Bash(git diff *)', ['/tools']],
  ['tools: [Read, "Agent(worker)"]', ['/tools/1']],
  ['disallowedTools: Bash(git push *), Agent(x)', ['/disallowedTools']],
  ['permissionMode: bypassPermissions', ['/permissionMode']],
  ['permissionMode: acceptEdits', ['/permissionMode']],
  ['permissionMode: plan', []],
])('subagents of Claude Code: %s', async (line, expected) => {
  expect(await looseIn({ '.claude/agents/a.md': `---\nname: a\ndescription: x\n${line}\n---\nx` })).toEqual(expected);
});

test.each([{ disableBypassPermissionsMode: 'disable' }, { defaultMode: 'bypassPermissions' }])(
  'a mode that is no wider: %j',
  async (permissions) => {
    const files = {
      '.claude/settings.json': json({ permissions }),
      '.claude/agents/a.md': '---\nname: a\ndescription: x\npermissionMode: bypassPermissions\n---\nx',
    };
    expect(await looseIn(files)).toEqual([]);
  },
);

test.each([
  [
    { permission: { bash: { '*': 'ask', rm: 'deny', 'git push': 'ask', 'git*': 'allow' } } },
    ['/permission/bash/rm', '/permission/bash/git*'],
  ],
  [{ permission: { read: { '*.env': 'deny' }, edit: 'deny' } }, ['/permission/read/*.env', '/permission/edit']],
  [{ permission: { bash: 'ask', edit: 'deny' } }, []],
  [{ agent: { lead: { mode: 'primary', permission: { bash: 'deny' } } } }, ['/agent/lead/permission/bash']],
  [{ agent: { lead: { mode: 'primary', permission: { bash: 'deny', task: 'deny' } } } }, []],
  [
    {
      agent: {
        lead: { mode: 'primary', permission: { bash: 'deny', task: { '*': 'deny', docs: 'allow' } } },
        docs: { mode: 'subagent', permission: { bash: 'deny' } },
      },
    },
    [],
  ],
  [{ permission: { bash: 'deny' }, agent: { lead: { mode: 'primary', permission: { bash: 'deny' } }, explore: { disable: true } } }, []],
])('what is looser or wider in opencode: %j', async (config, expected) => {
  expect(await looseIn({ 'opencode.json': json(config) })).toEqual(expected);
});

test.each([
  [{ tools: ['shell'], toolsSettings: { shell: { deniedCommands: ['rm', 'git push', 'sudo .*'] } } }, 2],
  [{ tools: ['shell'], toolsSettings: { shell: { deniedCommands: ['rm', 'rm .*'], allowedCommands: ['git.*', 'npm .*'] } } }, 1],
  [{ tools: ['read', 'shell'], allowedTools: ['shell'], toolsSettings: { read: { deniedPaths: ['.env'] } } }, 1],
  [{ tools: ['write', 'web_fetch'], allowedTools: ['w*'] }, 1],
  [{ tools: ['*', 'subagent'] }, 0],
  [{ tools: ['read', 'subagent'] }, 1],
])('what is looser or wider in Kiro: %j', async (agent, count) => {
  expect((await looseIn({ '.kiro/agents/a.json': json({ name: 'a', ...agent }) })).length).toBe(count);
});

test('files that cannot be read are named, and the others count', async () => {
  const { unread, agents } = await permitsOf({
    '.claude/settings.json': '{ "permissions": ',
    'opencode.json': '[]',
    '.kiro/agents/a.json': '7',
  });
  expect(unread).toEqual(['.claude/settings.json']);
  expect(agents.map(({ agent }) => agent)).toEqual(['the main conversation', 'build']);
  const odd = { permissions: { allow: [7, null, '', 'Bash(', '(((', 'Read([)', 'Bash(\u0000*)'], deny: 'Bash', defaultMode: 3 } };
  expect((await permitsOf({ '.claude/settings.json': json(odd) })).agents.length).toBe(1);
  const oddest = {
    permission: { bash: 7, '': { '': 'deny' }, edit: ['deny'] },
    permissions: [7, { action: 3 }],
    tools: [],
    agent: { x: 7 },
    mcp: 7,
  };
  expect((await permitsOf({ 'opencode.json': json(oddest) })).agents.length).toBe(1);
  const strange = {
    name: 7,
    tools: [7, '@', '@/'],
    allowedTools: 'x',
    toolsSettings: { shell: { allowedCommands: ['(((', '\\', '(a+)+$'] }, write: 7 },
  };
  expect((await permitsOf({ '.kiro/agents/a.json': json(strange) })).agents.length).toBe(1);
});

test('secrets in rules are not shown', async () => {
  const secret = `sk-ant-api03-${'aB3'.repeat(30)}`;
  const permits = await permitsOf({
    '.claude/settings.local.json': json({ permissions: { allow: [`Bash(curl -H "x-api-key: ${secret}" *)`, 'Bash'] } }),
  });
  expect(json([permits.agents, permits.rules])).not.toContain(secret);
});

const many = (rule: (index: number) => string) => Array.from({ length: 5_000 }, (_, index) => rule(index));

test.each([
  [
    'Claude Code',
    {
      '.claude/settings.json': json({
        permissions: { deny: many((index) => `Bash(git c${index} *)`), allow: many((index) => `Bash(git c${index} x)`) },
      }),
    },
    5_000,
  ],
  [
    'Claude Code, paths',
    {
      '.claude/settings.json': json({
        permissions: { deny: many((index) => `Read(**/f${index}.txt)`), allow: many((index) => `Read(a/f${index}.txt)`) },
      }),
    },
    5_000,
  ],
  [
    'opencode',
    {
      'opencode.json': json({
        permission: {
          bash: {
            ...Object.fromEntries(many((index) => `git c${index} x`).map((text) => [text, 'allow'])),
            ...Object.fromEntries(many((index) => `git c${index} *`).map((text) => [text, 'deny'])),
          },
        },
      }),
    },
    5_000,
  ],
  [
    'Kiro',
    {
      '.kiro/agents/a.json': json({
        name: 'a',
        tools: ['shell'],
        toolsSettings: {
          shell: { allowedCommands: many((index) => `git c${index}`), deniedCommands: many((index) => `git c${index}( .*)?`) },
        },
      }),
    },
    5_000,
  ],
] as const)('10,000 rules of %s are not compared one by one', { timeout: 60_000 }, async (_tool, files, count) => {
  const inventory = await readInventory(memoryFiles(files));
  const start = performance.now();
  const { rules } = foreignPermits(inventory);
  // Compared with each other they take minutes; alone on a quiet machine this takes less than a second.
  expect(performance.now() - start).toBeLessThan(20_000);
  expect(rules.filter(({ kind }) => kind === 'shadowed').length).toBe(count);
});
