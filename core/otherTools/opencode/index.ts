import { isObject, type Json, type JsonObject, pointerOf } from '../../json.js';
import { quoted } from '../../words.js';
import { agentOf, serversAt, serversIn } from '../facts.js';
import type { ImportSource } from '../importSource.js';
import { findFormat } from '../marks.js';
import type { NamePlace, ToolFacts, ToolRule } from '../toolFiles.js';
import type { At, Draft, Format, Naming, OtherTool } from '../types.js';
import { keyFields, stemOf, textField, within } from '../values.js';
import { permissionRules } from './permissionRules.js';
import { permits } from './permits.js';
import { filesOf, rules } from './rules.js';

const folder = /(?:^|\/)(?:\.opencode|opencode)\/agents?\//;

const formats: readonly Format[] = [
  {
    what: 'an OpenCode config',
    schema: /^opencode\.ai\//,
    mark: ({ mcp }) => (hasOpenCodeServer(mcp) ? 'mcp' : undefined),
  },
];

const agentWords = ['opencode agent', 'opencode agents'] as const;

/** Version 2 keeps the servers in `mcp.servers`; before, one of them may have that name. */
function hasServerGroup(value: Json): boolean {
  const group = isObject(value) && isObject(value.mcp) ? value.mcp.servers : undefined;
  return isObject(group) && !['type', 'command', 'url', 'enabled'].some((key) => Object.hasOwn(group, key));
}

/** Written as most other MCP clients have it: opencode refuses the whole file. */
const serverInvalid: ToolRule = {
  code: 'opencode/server-invalid',
  tool: 'opencode',
  severity: 'error',
  source: { address: 'https://gitlab.com/gitlab-org/orbit/knowledge-graph/-/merge_requests/1302', date: '2026-11-26' },
  check(file, _inventory, report) {
    for (const { name, pointer, value } of serversIn(file)) {
      const refused = 'so opencode refuses the whole file';
      if (typeof value.command === 'string')
        report({
          pointer: `${pointer}/command`,
          message: `The command of the server ${quoted(name)} is a text, ${refused}. Write the program and its arguments as one list: ["npx", "-y", "server"].`,
        });
      for (const [key, advice] of [
        ['args', 'Put the arguments into the list of command.'],
        ['env', 'Call it environment.'],
      ] as const)
        if (Object.hasOwn(value, key))
          report({
            pointer: `${pointer}/${key}`,
            target: 'key',
            message: `A server of opencode has no field ${quoted(key)}, ${refused}. ${advice}`,
          });
    }
  },
};

function configFacts(source: ImportSource): ToolFacts {
  const agents = agentsIn(isObject(source.value) ? source.value : {}).map(({ key, name }) => ({ name, pointer: pointerOf(key, name) }));
  return { servers: serversAt(source, hasServerGroup(source.value) ? '/mcp/servers' : '/mcp'), agents, ...filesOf(source) };
}

const naming: Naming = {
  title: 'opencode',
  before: '',
  between: '_',
  all: '_*',
  isCleaned: true,
  models: { anthropic: 'anthropic/', openai: 'openai/', gemini: 'google/' },
};

/** What permissions are named by, besides tools of servers. Source: https://opencode.ai/docs/permissions, 2026-11-27 */
const permissionKeys = [
  'read',
  'edit',
  'glob',
  'grep',
  'bash',
  'task',
  'skill',
  'webfetch',
  'websearch',
  'external_directory',
  'doom_loop',
];

/** The names of an agent, and of what is said for all agents. */
function namesBelow(pointer: string): readonly NamePlace[] {
  return [
    { at: `${pointer}/model`, kind: 'model' },
    { at: `${pointer}/tools/*`, kind: 'tool', target: 'key' },
    { at: `${pointer}/permission/*`, kind: 'tool', target: 'key', offers: permissionKeys },
    { at: `${pointer}/permission/task/*`, kind: 'agent', target: 'key' },
  ];
}

const configNames: readonly NamePlace[] = [
  ...namesBelow(''),
  ...namesBelow('/agent/*'),
  { at: '/small_model', kind: 'model' },
  { at: '/default_agent', kind: 'agent' },
  { at: '/command/*/agent', kind: 'agent' },
  { at: '/command/*/model', kind: 'model' },
];

/** The `agent` entries of opencode.json, with their servers and providers, and agents in Markdown. */
export const opencode: OtherTool = {
  id: 'opencode',
  folders: ['.opencode'],
  files: [
    ...['opencode.json', 'opencode.jsonc', '.opencode/opencode.json', '.opencode/opencode.jsonc'].map((place) => ({
      place,
      facts: configFacts,
      names: configNames,
    })),
    ...['.opencode/agent/**/*.md', '.opencode/agents/**/*.md'].map((place) => ({
      place,
      words: agentWords,
      facts: agentOf,
      names: namesBelow(''),
    })),
  ],
  formats,
  rules: [serverInvalid, ...rules, ...permissionRules],
  permits,
  naming,
  names: { prompt: { field: 'system_text', isText: true }, maxSteps: 'max_iterations', environment: 'env' },
  importer: {
    what: 'agents of opencode',
    shape: 'opencode.json or .jsonc: agent.{name}.prompt; .opencode/agent/*.md',
    example: { file: 'opencode.json', folder: '.opencode' },
    recognise({ path, format, value }) {
      if (!isObject(value)) return undefined;
      if (format === 'markdown') {
        if (folder.test(path)) return 'sure';
        return typeof value.description === 'string' && ['mode', 'permission', 'temperature'].some((key) => Object.hasOwn(value, key))
          ? 'maybe'
          : undefined;
      }
      if (format !== 'json') return undefined;
      const hasAgents = agentsIn(value).length > 0;
      if (/(?:^|\/)opencode\.jsonc?$/.test(path) || findFormat(value, formats) !== undefined) return hasAgents ? 'sure' : undefined;
      return hasAgents ? 'maybe' : undefined;
    },
    needs: ({ value }) => [
      ...(isObject(value) ? agentsIn(value).flatMap(({ entry }) => filesIn(textField(entry, 'prompt'))) : []),
      ...filesIn(textField(value, 'prompt')),
    ],
    read(source, draft) {
      const { format, value, body } = source;
      if (!isObject(value)) return;
      const at: At = { source, pointer: '' };
      if (format === 'markdown') {
        readAgent(source, stemOf(source), value, at, draft, {
          prompt: body === '' ? undefined : body,
          model: undefined,
          servers: [],
          off: () => false,
          config: {},
        });
        return;
      }
      const off = switchesIn(value.tools);
      const servers = isObject(value.mcp) ? Object.entries(value.mcp) : [];
      const usable = servers.flatMap(([id, server]) => {
        if (isObject(server) && server.enabled === false) return [];
        return draft.server(id, server, within(at, 'mcp', id)) === undefined ? [] : [id];
      });
      for (const { key, name, entry } of agentsIn(value)) {
        readAgent(source, name, entry, within(at, key, name), draft, {
          prompt: undefined,
          model: textField(value, 'model'),
          servers: usable,
          off,
          config: value,
        });
      }
      for (const key of ['command', 'plugin', 'instructions', 'permission', 'formatter', 'lsp'])
        if (value[key] !== undefined) draft.note(within(at, key), `${quoted(key)} is a matter of opencode and is left out.`);
    },
  },
};

interface Surroundings {
  /** The text below the front matter. */
  readonly prompt: string | undefined;
  /** What agents without a model use. */
  readonly model: string | undefined;
  readonly servers: readonly string[];
  /** Whether a tool is switched off for all agents. */
  readonly off: (tool: string) => boolean;
  readonly config: JsonObject;
}

function readAgent(source: ImportSource, name: string, entry: JsonObject, at: At, draft: Draft, around: Surroundings): void {
  if (entry.disable === true || entry.disabled === true) {
    draft.note(at, `${quoted(name)} is switched off and left out.`);
    return;
  }
  const system_text = around.prompt ?? promptOf(source, textField(entry, 'prompt'), within(at, 'prompt'), draft);
  if (system_text === undefined) {
    draft.note(at, `${quoted(name)} is left out: it has no prompt of its own. Where it is in Markdown, import .opencode/agent.`);
    return;
  }
  draft.noteLost(entry, at, { kept: keptKeys, advice: advices });
  const own = switchesIn(entry.tools, around.off);
  const steps = entry.steps ?? entry.maxSteps;
  const model = textField(entry, 'model') ?? around.model;
  draft.agent(
    name,
    {
      ...(typeof entry.description === 'string' && { description: entry.description }),
      system_text,
      ...(model !== undefined &&
        modelOf(model, around.config, draft, {
          source,
          pointer: textField(entry, 'model') === undefined ? '/model' : `${at.pointer}/model`,
        })),
      ...(typeof entry.temperature === 'number' && { temperature: entry.temperature }),
      ...(typeof entry.top_p === 'number' && { top_p: entry.top_p }),
      ...draft.toolFields(
        { builtIn: ['read', 'grep'].filter((tool) => !own(tool)), servers: around.servers.filter((id) => !own(`${id}_`)), tools: [] },
        at,
      ),
      ...(steps !== undefined && { max_iterations: steps }),
    },
    at,
    { temperature: `${at.pointer}/temperature`, top_p: `${at.pointer}/top_p` },
  );
}

const keptKeys = new Set([
  'description',
  'mode',
  'model',
  'prompt',
  'temperature',
  'top_p',
  'tools',
  'steps',
  'maxSteps',
  'disable',
  'disabled',
  'hidden',
  'color',
  'name',
]);

const advices: Readonly<Record<string, string>> = {
  permission: 'Which tools run unasked is decided where the agent runs: --allow-tools, or the permissions of the editor.',
  options: 'Give it in "options" of its llm profile.',
  variant: 'Give it in "options" of its llm profile.',
  reasoningEffort: 'Give it in "options" of its llm profile.',
};

function agentsIn(value: JsonObject): readonly { readonly key: string; readonly name: string; readonly entry: JsonObject }[] {
  return ['agent', 'agents'].flatMap((key) => {
    const agents = value[key];
    if (!isObject(agents)) return [];
    return Object.entries(agents).flatMap(([name, entry]) => (isObject(entry) && looksLikeAgent(entry) ? [{ key, name, entry }] : []));
  });
}

function looksLikeAgent(entry: JsonObject): boolean {
  return ['prompt', 'mode', 'permission', 'disable', 'disabled', 'tools', 'model', 'description'].some((key) => Object.hasOwn(entry, key));
}

/** Whether `tools: {name: false}` switches a tool off; the last entry that fits counts, `*` is a pattern. */
function switchesIn(tools: Json | undefined, otherwise: (tool: string) => boolean = () => false): (tool: string) => boolean {
  const entries = isObject(tools) ? Object.entries(tools).filter(([, isOn]) => typeof isOn === 'boolean') : [];
  return (tool) => {
    const lastMatch = entries.findLast(
      ([pattern]) => pattern === '*' || pattern === tool || (pattern.endsWith('*') && tool.startsWith(pattern.slice(0, -1))),
    );
    return lastMatch === undefined ? otherwise(tool) : lastMatch[1] === false;
  };
}

const fileReference = /^\{file:([^{}]+)\}$/;

function filesIn(prompt: string | undefined): readonly string[] {
  const path = fileReference.exec(prompt?.trim() ?? '')?.[1];
  return path === undefined ? [] : [path];
}

function promptOf(source: ImportSource, prompt: string | undefined, at: At, draft: Draft): string | undefined {
  const [path] = filesIn(prompt);
  if (path === undefined) return prompt;
  const file = draft.file(source, path);
  if (file === undefined)
    draft.note(
      at,
      `The prompt ${quoted(path)} was not read: it is not there, may hold secrets, or is outside of the folder that is imported. Import the folder that holds both.`,
    );
  return file?.text.trim();
}

/** `provider/model`; a `provider` in the same file with its own address becomes an llm profile. */
function modelOf(model: string, config: JsonObject, draft: Draft, at: At): JsonObject {
  const slash = model.indexOf('/');
  const prefix = model.slice(0, Math.max(slash, 0));
  const provider = isObject(config.provider) && Object.hasOwn(config.provider, prefix) ? config.provider[prefix] : undefined;
  const options = isObject(provider) && isObject(provider.options) ? provider.options : {};
  const { baseURL, apiKey } = options;
  if (typeof baseURL !== 'string') return draft.modelFields(model, at);
  const place = { source: at.source, pointer: `/provider/${prefix}/options` };
  const fields = {
    provider: draft.models.connection(prefix)?.provider ?? 'openai_compatible',
    model_name: model.slice(slash + 1),
    base_url: baseURL,
    ...(typeof apiKey === 'string' && keyFields(apiKey)),
  };
  return { llm_config_id: draft.profile(`${prefix}_${model.slice(slash + 1)}`, fields, place, { api_key: `${place.pointer}/apiKey` }) };
}

/** Each server is `local` or `remote`, whose command is a list. */
function hasOpenCodeServer(servers: Json | undefined): boolean {
  return (
    isObject(servers) && Object.values(servers).some((server) => isObject(server) && (server.type === 'local' || server.type === 'remote'))
  );
}
