// Settings of other tools with the rules in them that are dead or decided by another one, as the documents of the tools say it. Written from these
// documents, read on 2026-11-27, and not from what the code finds: code.claude.com/docs/en/permissions and /sub-agents, opencode.ai/docs/permissions
// and /v2/docs/permissions, kiro.dev/docs/cli/custom-agents/configuration-reference, /reference/built-in-tools and /v3/permissions.

export interface DialectCase {
  readonly title: string;
  readonly files: Readonly<Record<string, string>>;
  /** `dead` or `shadowed`, the file where it is not the only one, and the pointer of the rule. */
  readonly expected: readonly string[];
}

const settings = '.claude/settings.json';
const local = '.claude/settings.local.json';

function claude(
  title: string,
  permissions: object,
  expected: readonly string[],
  others: Readonly<Record<string, string>> = {},
): DialectCase {
  return { title, files: { [settings]: JSON.stringify({ permissions }), ...others }, expected };
}

const subagent = (lines: string) => ({ '.claude/agents/a.md': `---\nname: a\ndescription: Reviews.\n${lines}\n---\nReview.\n` });

export const claudeCases: readonly DialectCase[] = [
  claude('deny comes before allow', { deny: ['Bash(aws *)'], allow: ['Bash(aws s3 ls)', 'Bash(gcloud *)'] }, [
    'shadowed /permissions/allow/0',
  ]),
  claude('ask comes before allow', { ask: ['Bash(git push *)'], allow: ['Bash(git push origin *)', 'Bash(git status)'] }, [
    'shadowed /permissions/allow/0',
  ]),
  claude('deny comes before ask', { deny: ['Bash(git *)'], ask: ['Bash(git push *)'], allow: ['Bash(gitk *)'] }, [
    'shadowed /permissions/ask/0',
  ]),
  claude('":*" at the end is " *"', { deny: ['Bash(ls:*)'], allow: ['Bash(ls -la *)', 'Bash(ls)', 'Bash(lsof *)'] }, [
    'shadowed /permissions/allow/0',
    'shadowed /permissions/allow/1',
  ]),
  claude('without a space, "*" has no word boundary', { deny: ['Bash(ls*)'], allow: ['Bash(lsof -i)', 'Bash(cat ls)'] }, [
    'shadowed /permissions/allow/0',
  ]),
  claude('"*" in any position', { ask: ['Bash(git * main)'], allow: ['Bash(git push origin main)', 'Bash(git merge main *)'] }, [
    'shadowed /permissions/allow/0',
  ]),
  claude('"*" at the beginning', { deny: ['Bash(* install)'], allow: ['Bash(npm install)', 'Bash(npm install x)'] }, [
    'shadowed /permissions/allow/0',
  ]),
  claude('a bare tool, and Bash(*)', { deny: ['Bash(*)', 'WebFetch'], allow: ['Bash(ls *)', 'WebFetch(domain:a.com)', 'WebSearch'] }, [
    'shadowed /permissions/allow/0',
    'shadowed /permissions/allow/1',
  ]),
  claude(
    'names of files match at any depth',
    { deny: ['Read(.env)'], allow: ['Read(config/.env)', 'Read(**/.env)', 'Read(.env.example)', 'Edit(.env)'] },
    ['shadowed /permissions/allow/0', 'shadowed /permissions/allow/1'],
  ),
  claude(
    'a single folder: any depth where it is denied, in its place where it is allowed',
    { deny: ['Read(secrets/**)'], ask: ['Edit(/src/**)'], allow: ['Read(a/secrets/b.txt)', 'Edit(src/**)', 'Edit(a/src/**)'] },
    ['shadowed /permissions/allow/0', 'shadowed /permissions/allow/1'],
  ),
  claude(
    'paths from the root, the home folder and the project are other paths',
    {
      deny: ['Read(//etc/**)', 'Read(~/docs/**)', 'Read(/docs/**)'],
      allow: ['Read(//etc/hosts)', 'Read(//docs/a)', 'Read(docs/a.md)', 'Read(~/docs/a)'],
    },
    ['shadowed /permissions/allow/0', 'shadowed /permissions/allow/2', 'shadowed /permissions/allow/3'],
  ),
  claude('"*" stays in one segment', { deny: ['Edit(src/*/a.ts)'], allow: ['Edit(src/x/a.ts)', 'Edit(src/x/y/a.ts)', 'Edit(src/**)'] }, [
    'shadowed /permissions/allow/0',
  ]),
  claude(
    'hosts',
    {
      deny: ['WebFetch(domain:*.example.com)'],
      allow: ['WebFetch(domain:api.example.com)', 'WebFetch(domain:example.com)', 'WebFetch(domain:A.B.Example.com.)'],
    },
    ['shadowed /permissions/allow/0', 'shadowed /permissions/allow/2'],
  ),
  claude('domain:* is every host', { ask: ['WebFetch(domain:*)'], allow: ['WebFetch(domain:a.com)'] }, ['shadowed /permissions/allow/0']),
  claude(
    'servers',
    {
      deny: ['mcp__github'],
      ask: ['mcp__stock__get_*'],
      allow: ['mcp__github__list', 'mcp__github__*', 'mcp__stock__get_price', 'mcp__stock__*'],
    },
    ['shadowed /permissions/allow/0', 'shadowed /permissions/allow/1', 'shadowed /permissions/allow/2'],
  ),
  claude('every server', { deny: ['mcp__*'], allow: ['mcp__github__list', 'Read'] }, ['shadowed /permissions/allow/0']),
  claude('allow takes "*" behind mcp__server__ only', { allow: ['*', 'B*', 'mcp__*', 'mcp__github__get_*'] }, [
    'dead /permissions/allow/0',
    'dead /permissions/allow/1',
    'dead /permissions/allow/2',
  ]),
  claude(
    'paths count for Read and Edit only',
    { deny: ['Write(a/**)', 'NotebookEdit(a/**)', 'MultiEdit(a/**)', 'Glob(a/**)', 'Write'], allow: ['Edit(b/**)'] },
    ['dead /permissions/deny/0', 'dead /permissions/deny/1', 'dead /permissions/deny/2', 'dead /permissions/deny/3'],
  ),
  claude('what the specifier stands for is no parameter', { deny: ['Bash(command:rm *)', 'Read(file_path:a)', 'Agent(model:opus)'] }, [
    'dead /permissions/deny/0',
    'dead /permissions/deny/1',
  ]),
  claude('parameters with "*"', { deny: ['Agent(model:*)'], ask: ['Agent(model:opus)', 'Agent(isolation:worktree)'] }, [
    'shadowed /permissions/ask/0',
  ]),
  claude('":*" before the end', { deny: ['Bash(git:* push)'], allow: ['Bash(git push)'] }, ['dead /permissions/deny/0']),
  claude(
    'exec wrappers ask in spite of a rule with "*"',
    { allow: ['Bash(watch *)', 'Bash(flock *)', 'Bash(find * -delete)', 'Bash(find *)', 'Bash(watch ls)'] },
    ['dead /permissions/allow/0', 'dead /permissions/allow/1', 'dead /permissions/allow/2'],
  ),
  claude('no rule keeps it from ending a conversation', { deny: ['EndConversation'], ask: ['EndConversation'] }, [
    'dead /permissions/deny/0',
    'dead /permissions/ask/0',
  ]),
  claude(
    'lists of both files are merged',
    { allow: ['Bash(npm test)'], deny: ['Bash(curl *)'] },
    [`shadowed ${settings}/permissions/allow/0`, `shadowed ${local}/permissions/allow/0`],
    { [local]: JSON.stringify({ permissions: { ask: ['Bash(npm *)'], allow: ['Bash(curl https://a.com)'] } }) },
  ),
  claude('"auto" in the settings of a project', { defaultMode: 'auto', allow: ['Read'] }, ['dead /permissions/defaultMode']),
  claude(
    'disallowedTools are taken away first',
    { deny: ['WebFetch', 'Bash(rm *)'] },
    ['shadowed .claude/agents/a.md/tools', 'shadowed .claude/agents/a.md/tools', 'shadowed .claude/agents/a.md/tools'],
    subagent('tools: Read, Write, WebFetch, Bash, mcp__git__log\ndisallowedTools: Write, mcp__git'),
  ),
  claude('the settings of another folder are others', { deny: ['Bash(git *)'] }, [], {
    'packages/a/.claude/settings.json': JSON.stringify({ permissions: { allow: ['Bash(git log)'] } }),
  }),
  claude(
    'classes of gitignore, and braces, which are none',
    { deny: ['Read(a[bc]/**)', 'Bash(echo {a,b})'], allow: ['Read(ab/x)', 'Read(ad/x)', 'Bash(echo a)'] },
    ['shadowed /permissions/allow/0'],
  ),
];

function opencode(title: string, config: object, expected: readonly string[], others: Readonly<Record<string, string>> = {}): DialectCase {
  return { title, files: { 'opencode.json': JSON.stringify(config), ...others }, expected };
}

const markdown = (matter: string) => ({ '.opencode/agent/a.md': `---\ndescription: Reviews.\nmode: subagent\n${matter}\n---\nReview.\n` });

export const opencodeCases: readonly DialectCase[] = [
  opencode('the last match wins', { permission: { bash: { 'git push *': 'deny', '*': 'ask' } } }, ['shadowed /permission/bash/git push *']),
  opencode('the broad rule first', { permission: { bash: { '*': 'ask', 'git *': 'allow', 'git push *': 'deny' } } }, []),
  opencode('" *" at the end matches no arguments too', { permission: { bash: { git: 'deny', 'git *': 'allow', gitk: 'deny' } } }, [
    'shadowed /permission/bash/git',
  ]),
  opencode('"git*" matches gitk', { permission: { bash: { 'gitk x': 'deny', 'git push': 'ask', 'git*': 'allow' } } }, [
    'shadowed /permission/bash/gitk x',
    'shadowed /permission/bash/git push',
  ]),
  opencode('"?" is one character', { permission: { bash: { 'rm a': 'deny', 'rm ab': 'deny', 'rm ?': 'allow' } } }, [
    'shadowed /permission/bash/rm a',
  ]),
  opencode('"*" in the middle', { permission: { bash: { 'git push origin main': 'deny', 'git pull': 'deny', 'git * main': 'ask' } } }, [
    'shadowed /permission/bash/git push origin main',
  ]),
  opencode('"*" matches "/"', { permission: { edit: { 'docs/a/b.md': 'deny', 'src/a.ts': 'deny', 'docs/*.md': 'allow' } } }, [
    'shadowed /permission/edit/docs~1a~1b.md',
  ]),
  opencode('"**" is "*"', { permission: { read: { 'secrets/**': 'deny', '**': 'allow' } } }, ['shadowed /permission/read/secrets~1**']),
  opencode('the same effect hides nothing', { permission: { bash: { 'git *': 'ask', '*': 'ask' } } }, []),
  opencode('one that a later exception takes up', { permission: { bash: { 'git push *': 'deny', 'git *': 'allow', 'git p*': 'ask' } } }, [
    'shadowed /permission/bash/git push *',
  ]),
  opencode('all tools behind one', { permission: { bash: 'allow', edit: 'deny', '*': 'ask' } }, [
    'shadowed /permission/bash',
    'shadowed /permission/edit',
  ]),
  opencode('all tools in front', { permission: { '*': 'ask', bash: 'allow', edit: 'deny' } }, []),
  opencode('tools of a server', { permission: { git_push: 'deny', gitlab_push: 'deny', 'git_*': 'allow' } }, [
    'shadowed /permission/git_push',
  ]),
  opencode('a command where a tool belongs', { permission: { 'git push *': 'deny', bash: 'ask' } }, ['dead /permission/git push *']),
  opencode('tools that edit follow "edit"', { permission: { write: 'deny', patch: 'deny', multiedit: 'deny', edit: 'ask' } }, [
    'dead /permission/write',
    'dead /permission/patch',
    'dead /permission/multiedit',
  ]),
  opencode(
    'agents have lists of their own',
    { permission: { bash: { '*': 'deny' } }, agent: { a: { mode: 'primary', permission: { bash: { 'ls *': 'allow', '*': 'ask' } } } } },
    ['shadowed /agent/a/permission/bash/ls *'],
  ),
  opencode(
    'rules of an agent come after those of all',
    { permission: { bash: { 'git push *': 'deny' } }, agent: { a: { mode: 'subagent', permission: { bash: { '*': 'allow' } } } } },
    [],
  ),
  opencode(
    'an agent in Markdown',
    {},
    ['shadowed .opencode/agent/a.md/permission/bash/git log *'],
    markdown('permission:\n  bash:\n    "git log *": allow\n    "*": deny'),
  ),
  opencode('starting agents', { permission: { task: { 'docs-writer': 'deny', reviewer: 'ask', 'docs-*': 'allow' } } }, [
    'shadowed /permission/task/docs-writer',
  ]),
  opencode(
    'addresses',
    { permission: { webfetch: { 'https://a.com/x': 'deny', 'https://b.com/*': 'deny', 'https://a.com/*': 'allow' } } },
    ['shadowed /permission/webfetch/https:~1~1a.com~1x'],
  ),
  opencode(
    'version 2',
    {
      permissions: [
        { action: 'shell', resource: 'git push *', effect: 'deny' },
        { action: 'read', resource: '*.env', effect: 'deny' },
        { action: 'shell', resource: '*', effect: 'ask' },
      ],
    },
    ['shadowed /permissions/0'],
  ),
  opencode(
    'version 2, all actions at the end',
    {
      permissions: [
        { action: 'read', resource: '*.env', effect: 'deny' },
        { action: '*', resource: '*', effect: 'ask' },
      ],
    },
    ['shadowed /permissions/0'],
  ),
  opencode(
    'names of version 1 in version 2',
    {
      permissions: [
        { action: 'bash', resource: '*', effect: 'deny' },
        { action: 'task', resource: 'a', effect: 'deny' },
        { action: 'shell', resource: '*', effect: 'ask' },
      ],
    },
    ['dead /permissions/0', 'dead /permissions/1'],
  ),
  opencode('one effect for all', { permission: 'ask' }, []),
];

function kiro(title: string, agent: object, expected: readonly string[], others: Readonly<Record<string, string>> = {}): DialectCase {
  return { title, files: { '.kiro/agents/a.json': JSON.stringify({ name: 'a', ...agent }), ...others }, expected };
}

const git = { mcpServers: { git: { command: 'git-mcp' } } };

export const kiroCases: readonly DialectCase[] = [
  kiro('allowed and not there', { tools: ['read'], allowedTools: ['read', 'shell'] }, ['dead /allowedTools/1']),
  kiro('other names of the same tool', { tools: ['fs_read', 'execute_bash', 'use_aws'], allowedTools: ['read', 'shell', 'aws'] }, []),
  kiro('all tools', { tools: ['*'], allowedTools: ['shell', 'write', '@builtin'] }, []),
  kiro('"*" is nothing in allowedTools', { tools: ['*'], allowedTools: ['*'] }, ['dead /allowedTools/0']),
  kiro('built-in tools, and servers', { ...git, tools: ['@builtin'], allowedTools: ['shell', '@git/status'] }, ['dead /allowedTools/1']),
  kiro('another tool of the server', { ...git, tools: ['@git/status'], allowedTools: ['@git/status', '@git/push'] }, [
    'dead /allowedTools/1',
  ]),
  kiro('a whole server', { ...git, tools: ['@git'], allowedTools: ['@git/push', '@git/read_*'] }, []),
  kiro('patterns of built-in tools', { tools: ['read'], allowedTools: ['w*', 'r*'] }, ['dead /allowedTools/0']),
  kiro(
    'settings of a tool that is not there',
    { tools: ['read'], toolsSettings: { shell: { allowedCommands: ['ls'] }, read: { deniedPaths: ['.env'] } } },
    ['dead /toolsSettings/shell'],
  ),
  kiro('settings under another name', { tools: ['shell'], toolsSettings: { execute_bash: { allowedCommands: ['ls'] } } }, []),
  kiro(
    'an allowed tool overrides what its settings allow',
    { tools: ['write'], allowedTools: ['write'], toolsSettings: { write: { allowedPaths: ['src/**', 'test/**'] } } },
    ['shadowed /toolsSettings/write/allowedPaths/0', 'shadowed /toolsSettings/write/allowedPaths/1'],
  ),
  kiro(
    'one that is allowed under another name',
    {
      tools: ['shell'],
      allowedTools: ['execute_bash'],
      toolsSettings: { shell: { allowedCommands: ['git status'], deniedCommands: ['rm .*'] } },
    },
    ['shadowed /toolsSettings/shell/allowedCommands/0'],
  ),
  kiro('services of an allowed tool', { tools: ['aws'], allowedTools: ['aws'], toolsSettings: { aws: { allowedServices: ['s3'] } } }, [
    'shadowed /toolsSettings/aws/allowedServices/0',
  ]),
  kiro(
    'denied commands come first',
    { tools: ['shell'], toolsSettings: { shell: { allowedCommands: ['git push origin', 'git status'], deniedCommands: ['git push .*'] } } },
    ['shadowed /toolsSettings/shell/allowedCommands/0'],
  ),
  kiro(
    'an expression matches the whole command',
    { tools: ['shell'], toolsSettings: { shell: { allowedCommands: ['git push origin'], deniedCommands: ['git push', 'push.*'] } } },
    [],
  ),
  kiro(
    'all commands are denied',
    { tools: ['shell'], toolsSettings: { shell: { allowedCommands: ['ls .*', 'cat a\\.txt'], deniedCommands: ['.*'] } } },
    ['shadowed /toolsSettings/shell/allowedCommands/0', 'shadowed /toolsSettings/shell/allowedCommands/1'],
  ),
  kiro(
    'denied paths come first, with all below',
    { tools: ['read'], toolsSettings: { read: { allowedPaths: ['~/temp/child', '~/tempo'], deniedPaths: ['~/temp'] } } },
    ['shadowed /toolsSettings/read/allowedPaths/0'],
  ),
  kiro(
    'paths with wildcards',
    { tools: ['write'], toolsSettings: { write: { allowedPaths: ['src/a/b.ts', 'src/**', 'lib/x.ts'], deniedPaths: ['src/*/b.ts'] } } },
    ['shadowed /toolsSettings/write/allowedPaths/0'],
  ),
  kiro(
    'blocked addresses come first',
    { tools: ['web_fetch'], toolsSettings: { web_fetch: { trusted: ['.*docs\\.a\\.com.*', '.*b\\.com.*'], blocked: ['.*a\\.com.*'] } } },
    ['shadowed /toolsSettings/web_fetch/trusted/0'],
  ),
  kiro(
    'expressions that cannot be read',
    { tools: ['web_fetch'], toolsSettings: { web_fetch: { trusted: ['*github.com*', '.*a(b.*', '.*ok\\.com.*'], blocked: [] } } },
    ['dead /toolsSettings/web_fetch/trusted/0', 'dead /toolsSettings/web_fetch/trusted/1'],
  ),
  kiro('look-around', { tools: ['shell'], toolsSettings: { shell: { allowedCommands: ['git (?!push).*', 'git (?:log|status)'] } } }, [
    'dead /toolsSettings/shell/allowedCommands/0',
  ]),
  kiro(
    'alternatives, and parts that may be missing',
    {
      tools: ['shell'],
      toolsSettings: { shell: { allowedCommands: ['git log', 'git tag', 'rm', 'rm -r'], deniedCommands: ['git (log|push)', 'rm( .*)?'] } },
    },
    [
      'shadowed /toolsSettings/shell/allowedCommands/0',
      'shadowed /toolsSettings/shell/allowedCommands/2',
      'shadowed /toolsSettings/shell/allowedCommands/3',
    ],
  ),
  kiro(
    'classes and counts of expressions',
    { tools: ['shell'], toolsSettings: { shell: { allowedCommands: ['git log'], deniedCommands: ['git [a-z]+'] } } },
    ['shadowed /toolsSettings/shell/allowedCommands/0'],
  ),
  {
    title: 'the most restrictive effect counts',
    files: {
      '.kiro/agents/a.md':
        '---\nname: a\ndescription: x\ntools: [shell, write]\npermissions:\n  - capability: shell\n    effect: allow\n    match: ["npm *"]\n  - capability: shell\n    effect: deny\n    match: ["npm publish*"]\n  - capability: fs_write\n    effect: allow\n    match: ["src/**"]\n  - capability: fs_write\n    effect: deny\n---\nWork.\n',
    },
    expected: ['shadowed /permissions/2'],
  },
  {
    title: 'an exclusion leaves something',
    files: {
      '.kiro/agents/a.md':
        '---\nname: a\ndescription: x\ntools: [shell]\npermissions:\n  - capability: shell\n    effect: allow\n    match: ["git status"]\n  - capability: shell\n    effect: deny\n    exclude: ["git status"]\n  - capability: shell\n    effect: ask\n    match: ["git *"]\n---\nWork.\n',
    },
    expected: ['shadowed /permissions/0'],
  },
];
