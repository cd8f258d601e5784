import { isObject, type Json, listOf } from '../../json.js';
import { quoted } from '../../words.js';
import { serversAt } from '../facts.js';
import type { ImportSource } from '../importSource.js';
import { anyOf, findFormat, isBoolean } from '../marks.js';
import type { NamePlace } from '../toolFiles.js';
import type { At, Draft, Format, NamedTools, OtherTool } from '../types.js';
import { stemOf, textField, within } from '../values.js';
import { permissionRules } from './permissionRules.js';
import { permits } from './permits.js';
import { agentFacts, rules, takesLists } from './rules.js';

const folder = /(?:^|\/)(?:\.kiro\/agents|\.amazonq\/cli-agents)\//;

const formats: readonly Format[] = [
  {
    what: 'a Kiro or Amazon Q agent',
    schema: /amazon-q-developer|kiro/,
    mark: anyOf({ toolsSettings: isObject, toolAliases: isObject, includeMcpJson: isBoolean, useLegacyMcpJson: isBoolean }),
  },
];

/** Source: https://kiro.dev/docs/cli/reference/built-in-tools, 2026-11-27 */
const tools = ['read', 'write', 'shell', 'aws', 'web_search', 'web_fetch', 'introspect', 'report', 'knowledge', 'thinking', 'todo'];

const names: readonly NamePlace[] = [
  { at: '/tools/#', kind: 'tool', offers: ['*', '@builtin', ...tools] },
  { at: '/allowedTools/#', kind: 'tool', offers: ['@builtin', ...tools] },
  { at: '/model', kind: 'model' },
  { at: '/mcpServers/*', kind: 'server', target: 'key', defines: true },
];

/** Agents of Kiro and of the Amazon Q command line: JSON, or Markdown with the prompt below the front matter. */
export const kiro: OtherTool = {
  id: 'kiro',
  folders: ['.kiro', '.amazonq'],
  files: [
    { place: '.kiro/settings/mcp.json', facts: (source) => ({ servers: serversAt(source, '/mcpServers') }) },
    ...['.kiro/agents/*.json', '.kiro/agents/*.md', '.amazonq/cli-agents/*.json'].map(
      (place) => ({ place, words: ['Kiro agent', 'Kiro agents'], facts: agentFacts, names, takesLists }) as const,
    ),
  ],
  rules: [...rules, ...permissionRules],
  permits,
  naming: { title: 'Kiro', before: '@', between: '/', all: '', isCleaned: false, models: {} },
  formats,
  names: { prompt: { field: 'system_text', isText: true }, excludedTools: 'exclude_components' },
  importer: {
    what: 'a Kiro agent',
    shape: '.kiro/agents/*.json or *.md: name, prompt, tools, mcpServers',
    example: { folder: '.kiro/agents' },
    recognise({ path, format, value }) {
      if (!isObject(value)) return undefined;
      if (folder.test(path) || (format === 'json' && findFormat(value, formats) !== undefined)) return 'sure';
      return typeof value.prompt === 'string' && (Array.isArray(value.tools) || Array.isArray(value.allowedTools)) ? 'maybe' : undefined;
    },
    needs: ({ value }) => [serverFile, ...filesIn(textField(value, 'prompt'))],
    read(source, draft) {
      const { value } = source;
      if (!isObject(value)) return;
      const at: At = { source, pointer: '' };
      const { name, description, model, mcpServers, excludedTools } = value;
      const system_text = promptOf(source, draft);
      if (system_text === undefined) draft.note(at, 'The agent has no prompt. Write its system_text.');
      const servers = isObject(mcpServers) ? Object.entries(mcpServers) : [];
      for (const [id, server] of servers) draft.server(id, server, within(at, 'mcpServers', id));
      const named = toolsOf(
        value.tools,
        servers.map(([id]) => id),
      );
      draft.serversOf(source, serverFile, [...named.servers, ...named.tools.map(({ server }) => server)]);
      draft.noteLost(value, at, { kept: keptKeys, advice: advices });
      draft.agent(
        typeof name === 'string' ? name : stemOf(source),
        {
          ...(typeof description === 'string' && { description }),
          ...(system_text !== undefined && { system_text }),
          ...(typeof model === 'string' && model !== 'auto' && draft.modelFields(model, within(at, 'model'))),
          ...draft.toolFields(named, within(at, 'tools')),
          ...(Array.isArray(excludedTools) && { exclude_components: bareNames(excludedTools) }),
        },
        at,
        { description: '/description', system_text: '/prompt', exclude_components: '/excludedTools' },
      );
    },
  },
};

/** From the folder of the agents. */
const serverFile = '../settings/mcp.json';

const keptKeys = new Set(['$schema', 'name', 'description', 'prompt', 'model', 'mcpServers', 'tools', 'excludedTools']);

const advices: Readonly<Record<string, string>> = {
  allowedTools: 'Which tools run unasked is decided where the agent runs: --allow-tools, or the permissions of the editor.',
  permissions: 'Which tools run unasked is decided where the agent runs: --allow-tools, or the permissions of the editor.',
  toolAliases: 'Tools keep the names that their servers give them.',
  toolsSettings: 'Limits of single tools belong to the server that offers them.',
  resources: 'Nothing is put into the prompt unasked: let the agent read the files (read_file), or pass them in the input.',
  hooks: 'An agent starts no commands of its own: run them before, and pass what they print in the input.',
  includeMcpJson: 'Name the servers that the agent may use as client_ids.',
  useLegacyMcpJson: 'Name the servers that the agent may use as client_ids.',
  keyboardShortcut: 'It is a matter of the other program.',
  welcomeMessage: 'It is a matter of the other program.',
};

function promptOf(source: ImportSource, draft: Draft): string | undefined {
  const prompt = textField(source.value, 'prompt');
  if (prompt === undefined || !prompt.startsWith('file://')) return prompt ?? (source.body === '' ? undefined : source.body);
  const [path] = filesIn(prompt);
  const file = path === undefined ? undefined : draft.file(source, path);
  if (file === undefined)
    draft.note(
      { source, pointer: '/prompt' },
      `The prompt ${quoted(prompt)} was not read: it is not there, may hold secrets, or is outside of the folder that is imported. Copy it into system_text, or import the folder that holds both.`,
    );
  return file?.text.trim();
}

function filesIn(prompt: string | undefined): readonly string[] {
  return prompt?.startsWith('file://') === true ? [prompt.slice('file://'.length)] : [];
}

/** `@server` is a server, `@server/tool` one of its tools, `*` everything. */
function toolsOf(tools: Json | undefined, all: readonly string[]): NamedTools {
  const names = listOf(tools).filter((name) => typeof name === 'string');
  const ofServers = names.filter((name) => name.startsWith('@') && name !== '@builtin').map((name) => name.slice(1));
  const isAll = names.includes('*');
  return {
    builtIn: [
      ...names.filter((name) => !name.startsWith('@') && name !== '*'),
      ...(isAll || names.includes('@builtin') ? ['read', 'grep'] : []),
    ],
    servers: [...new Set([...(isAll ? all : []), ...ofServers.filter((name) => !name.includes('/'))])],
    tools: ofServers.flatMap((name) => {
      const [server = '', tool = ''] = name.split('/');
      return tool === '' || tool.includes('*') ? [] : [{ server, name: tool }];
    }),
  };
}

function bareNames(tools: readonly Json[]): readonly string[] {
  return [...new Set(tools.flatMap((name) => (typeof name === 'string' ? [name.split('/').at(-1) ?? name] : [])))];
}
