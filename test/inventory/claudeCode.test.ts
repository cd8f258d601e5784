import { describe, expect, test } from 'vitest';
import { findingsIn } from '../support/toolFindings.js';

const settings = (permissions: object, others: object = {}) => ({
  '.claude/settings.json': JSON.stringify({ permissions, ...others }),
});
const list = { '.mcp.json': '{ "mcpServers": { "git hub": { "command": "github-mcp" } } }' };
const agent = (matter: string) => ({ '.claude/agents/a.md': `---\n${matter}\n---\nReview.` });
const complete = 'name: a\ndescription: Reviews';

describe('permissions of Claude Code', () => {
  test.each([
    ['allow', 'npm test', 'error'],
    ['deny', 'Bash(rm -rf /)*', 'error'],
    ['deny', 'Write(src/**)', 'error'],
    ['allow', 'Glob(src/**)', 'error'],
    ['deny', 'mcp__github__x(y)', 'error'],
    ['allow', 'mcp__*', 'error'],
    ['allow', 'mcp__claude-flow__:*', 'error'],
    ['allow', 'Edit:*', 'error'],
    ['deny', 'Bash(command:rm *)', 'error'],
    ['allow', 'WebFetch(https://example.com/*)', 'error'],
    ['allow', 'Bash(git:* push)', 'error'],
    ['allow', 'Bash(command:*)', undefined],
    ['allow', 'Bash(npm run test:* --watch)', undefined],
    ['allow', 'Bash(curl http://localhost:* -s)', undefined],
    ['allow', 'Bash(node -e "f(1)")', undefined],
    ['allow', 'mcp__github__get_*', undefined],
    ['deny', 'mcp__*', undefined],
    ['deny', 'Write', undefined],
    ['deny', 'Write(*)', undefined],
    ['deny', 'Agent(model:opus)', undefined],
    ['allow', 'SomeNewTool(x)', undefined],
    ['allow', 'Bash(rm:*)', undefined],
  ])('%s %s: %s', async (effect, rule, severity) => {
    const findings = await findingsIn(settings({ [effect]: [rule] }));
    expect(findings.map((finding) => `${finding.code} ${finding.severity}`)).toEqual(
      severity === undefined ? [] : [`claude-code/permission-without-effect ${severity}`],
    );
  });

  test('a path that is never consulted is a note where the rule that counts is there too', async () => {
    expect(await findingsIn(settings({ deny: ['Write(.env)', 'Edit(.env)'] }))).toMatchObject([
      { severity: 'info', pointer: '/permissions/deny/0' },
    ]);
  });

  test.each([
    [{ deny: ['Bash(aws:*)'], allow: ['Bash(aws s3 ls)'] }, true],
    [{ deny: ['Bash'], allow: ['Bash(git status)'] }, true],
    [{ ask: ['Bash(git push *)'], allow: ['Bash(git push origin *)'] }, true],
    [{ deny: ['mcp__github'], allow: ['mcp__github__list'] }, true],
    [{ deny: ['Read(.env)'], allow: ['Read(.env)'] }, true],
    [{ deny: ['Bash(aws s3 *)'], allow: ['Bash(aws *)'] }, false],
    [{ deny: ['Bash(git:*)'], allow: ['Bash(gitk)'] }, false],
    [{ deny: ['Read(./secrets/**)'], allow: ['Read(src/**)'] }, false],
    [{ deny: ['Bash(command:rm *)'], allow: ['Bash(command:rm *)'] }, false],
  ])('a rule under one that comes first: %j', async (permissions, isShadowed) => {
    const codes = (await findingsIn(settings(permissions))).map(({ code }) => code);
    expect(codes.includes('claude-code/permission-shadowed')).toBe(isShadowed);
  });

  test('a rule of one person under one of all', async () => {
    const files = {
      ...settings({ deny: ['Bash(rm *)'] }),
      '.claude/settings.local.json': '{ "permissions": { "allow": ["Bash(rm -r out)"] } }',
    };
    expect(await findingsIn(files)).toMatchObject([
      { file: '.claude/settings.local.json', code: 'claude-code/permission-shadowed', related: [{ file: '.claude/settings.json' }] },
    ]);
  });

  test('a path from the root is judged by what the project has', async () => {
    const rule = settings({ deny: ['Read(/etc/**)'] });
    expect((await findingsIn(rule)).map(({ code }) => code)).toEqual(['claude-code/permission-path']);
    expect(await findingsIn({ ...rule, 'etc/hosts': '' })).toEqual([]);
  });
});

describe('servers that Claude Code files name', () => {
  test.each([
    ['mcp__git_hub__list', undefined],
    ['mcp__git_hub', undefined],
    ['mcp__git_hob__list', 'warning'],
    ['mcp__sentry__list', 'info'],
    ['mcp__plugin_x_y__list', undefined],
    ['mcp__claude_ai_Gmail__send', undefined],
  ])('%s: %s', async (name, severity) => {
    const expected = severity === undefined ? [] : [severity];
    expect((await findingsIn({ ...list, ...settings({ allow: [name] }) })).map((finding) => finding.severity)).toEqual(expected);
    expect((await findingsIn({ ...list, ...agent(`${complete}\ntools: Read, ${name}`) })).map((finding) => finding.severity)).toEqual(
      expected,
    );
    expect(await findingsIn(settings({ allow: [name] }))).toEqual([]);
  });

  test('an agent may define its own', async () => {
    expect(await findingsIn({ ...list, ...agent(`${complete}\ntools: mcp__own__x\nmcpServers:\n  - own:\n      command: x`) })).toEqual([]);
  });

  test('the lists of servers to use count for .mcp.json only', async () => {
    const files = settings({}, { enabledMcpjsonServers: ['git hub', 'sentry'] });
    expect(await findingsIn({ ...list, ...files })).toMatchObject([{ severity: 'warning', pointer: '/enabledMcpjsonServers/1' }]);
  });
});

describe('agents of Claude Code', () => {
  test.each([
    ['name: a', ['agent-incomplete error']],
    ['description: Reviews', ['agent-incomplete error']],
    ['title: How to use these agents', []],
    [`${complete}\ntools: Read, Task(a, b), Brand_New, BrandNewTool`, ['agent-tool-specifier info']],
    [`${complete}\ntools: [Read, grepp]`, ['agent-tool warning']],
    [`${complete}\ntools: ExitPlanMode`, ['agent-tool-unavailable info']],
    [`${complete}\ntools: ExitPlanMode\npermissionMode: plan`, []],
    [`${complete}\nmodel: opuss`, ['agent-model warning']],
    [`${complete}\nmodel: claude-opus-9`, []],
    [`${complete}\nmodel: gpt`, []],
    ['name: a\ndescription: Say: this', ['front-matter warning']],
    ['name: a\ndescription: Say: this\nmore of it', ['front-matter error']],
    ['name: a\ndescription: Say:\nuser: x\n<call>\nuser: y', ['front-matter error']],
  ])('%s', async (matter, expected) => {
    const findings = await findingsIn(agent(matter));
    expect(findings.map(({ code, severity }) => `${code.replace('claude-code/', '')} ${severity}`)).toEqual(expected);
  });

  test('a document without front matter is no agent', async () => {
    expect(await findingsIn({ '.claude/agents/README.md': '# Our agents' })).toEqual([]);
  });

  test('one name in two projects of a repository is two agents', async () => {
    const file = `---\n${complete}\n---\nReview.`;
    expect(await findingsIn({ '.claude/agents/a.md': file, 'web/.claude/agents/a.md': file })).toEqual([]);
  });
});

test.each([
  [{ name: 'x', agents: './agents/' }, []],
  [{ agents: ['./agents/a.md', 'b.md', '../c.md', './none.md'] }, ['error', 'error', 'error', 'warning']],
  [{ name: 'x', skills: './', mcpServers: { s: { command: 's' } } }, []],
])('the manifest of a plug-in: %j', async (manifest, severities) => {
  const files = { 'p/.claude-plugin/plugin.json': JSON.stringify(manifest), 'p/agents/a.md': `---\n${complete}\n---\n` };
  expect((await findingsIn(files)).map(({ severity }) => severity)).toEqual(severities);
});

describe('agents of plug-ins', () => {
  const manifest = { 'p/.claude-plugin/plugin.json': '{ "name": "p" }' };
  const agentOf = (matter: string) => `---\n${matter}\n---\nReview.`;
  const codesIn = async (files: Readonly<Record<string, string>>) =>
    (await findingsIn(files)).map(({ code, severity }) => `${code.replace('claude-code/', '')} ${severity}`);

  test.each([
    [agentOf(complete), []],
    [agentOf('description: Reviews'), []],
    [agentOf('name: a'), ['agent-incomplete warning']],
    ['# Reviewer\n\nReview.', ['agent-incomplete warning']],
    [agentOf(`${complete}\npermissionMode: plan\nhooks: {}`), ['plugin-agent-field warning', 'plugin-agent-field warning']],
    [agentOf(`${complete}\ntools: Read, mcp__stock__count, grepp`), ['agent-tool warning']],
    [agentOf('name: a\ndescription: Say: this\nmore of it'), ['front-matter error']],
  ])('%j', async (text, expected) => {
    expect(await codesIn({ ...manifest, 'p/agents/a.md': text })).toEqual(expected);
  });

  test('belong to the manifest beside their folder, or to the one that names them', async () => {
    const broken = agentOf('name: a');
    expect(await codesIn({ 'p/agents/a.md': broken })).toEqual([]);
    expect(await codesIn({ ...manifest, 'p/agents/README.md': '# Agents' })).toEqual([]);
    const named = { 'p/.claude-plugin/plugin.json': '{ "name": "p", "agents": ["./agents/b.md"] }' };
    expect(await codesIn({ ...named, 'p/agents/a.md': broken, 'p/agents/b.md': broken })).toEqual(['agent-incomplete warning']);
  });

  test('are told apart by their folder', async () => {
    const text = agentOf(complete);
    expect(await codesIn({ ...manifest, 'p/agents/a.md': text, 'p/agents/web/a.md': text })).toEqual([]);
    expect(await codesIn({ ...manifest, 'p/agents/a.md': text, 'p/agents/b.md': text })).toEqual(['agent-twice error']);
  });
});

test.each([
  [{ permissions: { defaultMode: 'acceptEdits' } }, []],
  [{ permissions: { defaultMode: 'acceptEdit' } }, ['/permissions/defaultMode']],
  [{ permissions: { defaultMode: 'ofANewerVersion' } }, []],
  [{ defaultMode: 'plan' }, ['/defaultMode']],
  [{ 'permission-mode': 'plan' }, ['/permission-mode']],
])('the mode of %j', async (value, pointers) => {
  const findings = await findingsIn({ '.claude/settings.json': JSON.stringify(value) });
  expect(findings.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual(
    pointers.map((pointer) => `claude-code/default-mode ${pointer}`),
  );
});
