import { expect, test } from 'vitest';
import { loadProjectIndex } from '../../core/config/loadProjectIndex.js';
import { checkRepository } from '../../core/inventory/checkRepository.js';
import { memoryFiles } from '../support/memoryFiles.js';

// Repositories in the shapes that public ones have, each with the faults that were planted in it: these are found, and nothing else is said.

const agent = (matter: string, body = 'Review the change.') => `---\n${matter}\n---\n\n${body}\n`;
const reviewer = agent('name: reviewer\ndescription: Reviews a change before it is committed\ntools: Read, Grep, Glob\nmodel: sonnet');
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
const http = (url: string) => ({ type: 'http', url });

interface Stranger {
  readonly files: Readonly<Record<string, string>>;
  readonly planted: readonly string[];
}

const strangers: Readonly<Record<string, Stranger>> = {
  'prose for agents, which is not linted, whatever is in it': {
    files: {
      'AGENTS.md': agent('name: [broken', 'Run `npm tset`, use {{nothing}} and @missing.md.'),
      'CLAUDE.md': '@missing.md\n',
      '.claude/skills/Review_PR/SKILL.md': agent('name: another\nallowed-tools: Raed, Grpe\nmodel: sonet', '[guide](missing.md)'),
      '.agents/skills/review/SKILL.md': '---\nname: : x\n---\n',
      '.github/copilot-instructions.md': agent('applyTo: 7'),
    },
    planted: [],
  },
  'a site with an agent card, written for 0.3 and kept at the earlier address': {
    files: {
      'public/.well-known/agent.json': json({
        protocolVersion: '0.3.0',
        name: 'Bakery',
        description: 'Answers questions about the bakery.',
        url: 'https://bakery.example.com/a2a',
        version: '1.0.0',
        capabilities: { streaming: false },
        defaultInputModes: ['text/plain'],
        defaultOutputModes: ['text/plain'],
        skills: [{ id: 'hours', name: 'Opening hours', description: 'Tells when the bakery is open.' }],
      }),
    },
    planted: ['public/.well-known/agent.json a2a/card-incomplete', 'public/.well-known/agent.json a2a/place-earlier'],
  },
  'a crew whose agent was renamed, with a tool of its own': {
    files: {
      'crew.jsonc': `{
  // Agents, each in agents/
  "name": "briefing",
  "agents": ["researcher", "writer"],
  "tasks": [
    { "name": "research", "description": "Research {topic}", "expected_output": "Facts", "agent": "researcher", "tools": ["custom:archive"] },
    { "name": "write", "description": "Write about {topic}", "expected_output": "A page", "agent": "writer", "context": ["research"] },
  ],
  "process": "sequential",
  "inputs": { "topic": "bread" },
}
`,
      'agents/researcher.jsonc': json({
        role: 'Researcher',
        goal: 'Find facts on {topic}',
        backstory: 'You know the sources.',
        llm: 'openai/gpt-5',
      }),
      'agents/author.jsonc': json({ role: 'Author', goal: 'Write', backstory: 'You write.', settings: { verbose: false } }),
      'tools/archive.py': 'from crewai.tools import BaseTool\n',
    },
    planted: ['crew.jsonc crewai/agent-missing'],
  },
  'a plug-in with two agents, one of which gives itself rights': {
    files: {
      'plugins/review/.claude-plugin/plugin.json': json({ name: 'review', version: '1.0.0', description: 'Reviews changes' }),
      'plugins/review/agents/reviewer.md': reviewer,
      'plugins/review/agents/fixer.md': agent('name: fixer\ndescription: Fixes what a review found\npermissionMode: bypassPermissions'),
      'plugins/review/agents/README.md': '# The agents\n',
    },
    planted: ['plugins/review/agents/fixer.md claude-code/plugin-agent-field'],
  },
  'one server, as most repositories have it': {
    files: { '.mcp.json': json({ mcpServers: { context7: { command: 'npx', args: ['-y', '@upstash/context7-mcp'], env: {} } } }) },
    planted: [],
  },
  'an address without a type': {
    files: { '.mcp.json': json({ mcpServers: { docs: { url: 'https://mcp.example.com/mcp' } } }) },
    planted: ['.mcp.json mcp-type-missing'],
  },
  'a command line in the command': {
    files: { '.mcp.json': json({ mcpServers: { docs: { command: 'npx -y docs-mcp' } } }) },
    planted: ['.mcp.json mcp-server-invalid'],
  },
  'an access token among the arguments': {
    files: {
      '.cursor/mcp.json': json({ mcpServers: { db: { command: 'npx', args: ['-y', 'db-mcp', '--access-token', 'abcd1234efgh5678'] } } }),
    },
    planted: ['.cursor/mcp.json mcp/secret-in-plain-text'],
  },
  'a list under the key of another editor': {
    files: { '.cursor/mcp.json': json({ servers: { docs: http('https://mcp.example.com/mcp') } }) },
    planted: ['.cursor/mcp.json mcp/no-server-list'],
  },
  'three lists that agree': {
    files: {
      '.mcp.json': json({ mcpServers: { docs: http('https://mcp.example.com/mcp') } }),
      '.vscode/mcp.json': json({ servers: { docs: http('https://mcp.example.com/mcp') } }),
      '.cursor/mcp.json': json({ mcpServers: { docs: { url: 'https://mcp.example.com/mcp' } } }),
    },
    planted: [],
  },
  'three lists, one of which has moved on': {
    files: {
      '.mcp.json': json({ mcpServers: { docs: http('https://mcp.example.com/v2') } }),
      '.vscode/mcp.json': json({ servers: { docs: http('https://mcp.example.com/v1') } }),
      '.codex/config.toml': 'model = "gpt-5.4"\n\n[mcp_servers.docs]\nurl = "https://mcp.example.com/v2"\n',
    },
    planted: ['.vscode/mcp.json mcp/server-differs'],
  },
  'a table that is not closed': {
    files: { '.codex/config.toml': '[mcp_servers.docs\nurl = "https://mcp.example.com"\n', '.mcp.json': json({ mcpServers: {} }) },
    planted: ['.codex/config.toml other-tools/unreadable'],
  },
  'agents with everything in order': {
    files: {
      '.claude/agents/reviewer.md': reviewer,
      '.claude/settings.json': json({ permissions: { allow: ['Bash(npm test:*)'], deny: ['Read(./.env)'] } }),
    },
    planted: [],
  },
  'an agent with a misspelt tool and model': {
    files: { '.claude/agents/a.md': agent('name: a\ndescription: Tests the change\ntools: Read, Gerp\nmodel: sonet') },
    planted: ['.claude/agents/a.md claude-code/agent-tool', '.claude/agents/a.md claude-code/agent-model'],
  },
  'an agent that nobody can find': {
    files: { '.claude/agents/a.md': agent('name: a') },
    planted: ['.claude/agents/a.md claude-code/agent-incomplete'],
  },
  'one agent twice': {
    files: { '.claude/agents/reviewer.md': reviewer, '.claude/agents/team/reviewer.md': reviewer },
    planted: ['.claude/agents/team/reviewer.md claude-code/agent-twice'],
  },
  'examples in the front matter': {
    files: { '.claude/agents/a.md': agent('name: a\ndescription: Use it so. Example: <example>user: "Look: here"</example>') },
    planted: ['.claude/agents/a.md claude-code/front-matter'],
  },
  'a permission for a server that is gone': {
    files: {
      '.mcp.json': json({ mcpServers: { github: { command: 'github-mcp' } } }),
      '.claude/settings.json': json({ permissions: { allow: ['mcp__githb__list_issues', 'Bash(git status)'] } }),
    },
    planted: ['.claude/settings.json claude-code/unknown-server'],
  },
  'a permission under a prohibition': {
    files: { '.claude/settings.json': json({ permissions: { allow: ['Bash(aws s3 ls)'], deny: ['Bash(aws *)'] } }) },
    planted: ['.claude/settings.json claude-code/permission-shadowed'],
  },
  'opencode with the servers of another client': {
    files: {
      'opencode.json': json({
        $schema: 'https://opencode.ai/config.json',
        mcp: { docs: { type: 'local', command: 'docs-mcp', enabled: true } },
      }),
    },
    planted: ['opencode.json opencode/server-invalid'],
  },
  'opencode with instructions alone': {
    files: { 'opencode.json': json({ $schema: 'https://opencode.ai/config.json', instructions: ['./AGENTS.md'] }) },
    planted: [],
  },
  'Kiro with a variable of VS Code': {
    files: {
      '.kiro/settings/mcp.json': json({
        mcpServers: { jira: { command: 'uvx', args: ['mcp-atlassian'], env: { JIRA_URL: '${env:JIRA_URL}' } } },
      }),
    },
    planted: ['.kiro/settings/mcp.json mcp/variable-not-filled'],
  },
  'a monorepo with one broken package': {
    files: {
      'packages/a/.mcp.json': json({ mcpServers: { docs: http('https://a.example.com/mcp') } }),
      'packages/b/.mcp.json': json({ mcpServers: { docs: { cmd: 'docs-mcp' } } }),
      'packages/c/.claude/agents/reviewer.md': reviewer,
      'node_modules/x/.mcp.json': '{',
    },
    planted: ['packages/b/.mcp.json mcp/server-without-target'],
  },
  'another framework with folders that are called like ours': {
    files: {
      'config/agents/support/en.json': json({ name: 'Support', greeting: 'Hello', tools: [] }),
      'config/llms/router.json': json({ routes: [], default: 'fast' }),
      'config/system.json': json({ port: 8080 }),
      'config/prompts/welcome.yaml': 'text: Hello',
      '.mcp.json': json({ mcpServers: { docs: { type: 'sse', url: 'https://mcp.example.com/sse' } } }),
    },
    planted: ['.mcp.json mcp/sse-ends'],
  },
};

test.each(Object.entries(strangers))('%s', async (_name, { files, planted }) => {
  const memory = memoryFiles(files);
  const index = await loadProjectIndex(memory, { bare: true });
  const { findings } = await checkRepository({ files: memory, index, variables: { get: () => undefined } });
  expect([...new Set(findings.map(({ file, code }) => `${file} ${code}`))].sort()).toEqual([...planted].sort());
});

test('there are at least twenty of them', () => expect(Object.keys(strangers).length).toBeGreaterThanOrEqual(20));
