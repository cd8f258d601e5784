import { splitCommand } from '../commandLine.js';
import { isObject, type Json, pointerOf } from '../json.js';
import { namedSecrets } from '../secrets/namedSecrets.js';
import { looksLikeSecret } from '../secrets/secretPatterns.js';
import { quoted } from '../words.js';
import { serversIn } from './facts.js';
import type { ServerFact, ToolFile, ToolRule } from './toolFiles.js';
import type { OtherTool } from './types.js';

/** Two lists give the same name to different servers. */
const serverDiffers: ToolRule = {
  code: 'mcp/server-differs',
  tool: 'any',
  severity: 'warning',
  source: { address: 'https://modelcontextprotocol.io/docs/learn/architecture', date: '2026-11-26' },
  check(file, { files }, report) {
    for (const server of file.facts.servers ?? []) {
      const other = files.find(
        (candidate) => candidate.path < file.path && candidate.folder === file.folder && differing(candidate, server) !== undefined,
      );
      const twin = other && differing(other, server);
      if (other === undefined || twin === undefined) continue;
      report({
        pointer: server.pointer,
        target: 'key',
        message: `The server ${quoted(server.name)} is another one in ${other.path}: agents that name it reach a different server there. Give one of them another name, or define both alike.`,
        related: [{ file: other, pointer: twin.pointer, message: 'The other definition is here.' }],
      });
    }
  },
};

/** A server of that name in another list that is reached in another way; not where either way is not known. */
function differing({ facts }: ToolFile, { name, value }: ServerFact): ServerFact | undefined {
  const twin = facts.servers?.find((server) => server.name === name);
  const ways = twin && [wayOf(value), wayOf(twin.value)];
  return ways?.every((way) => way !== undefined) && ways[0] !== ways[1] ? twin : undefined;
}

/** Where a server is, or the program that it is: what does not depend on how a tool spells variables. Undefined where that cannot be told. */
function wayOf(server: Json): string | undefined {
  if (!isObject(server)) return undefined;
  const address = [server.url, server.serverUrl, server.httpUrl].find((field) => typeof field === 'string');
  const { command, args } = server;
  const words = Array.isArray(command)
    ? command
    : typeof command === 'string'
      ? [command, ...(Array.isArray(args) ? args : [])]
      : undefined;
  if ((address === undefined) === (words === undefined)) return undefined;
  const way = address === undefined ? JSON.stringify(words) : String(address).replace(/\/$/, '');
  return /[$%{]/.test(way) ? undefined : way;
}

/** The key of each list, by the end of its path. */
const listKeys: readonly (readonly [end: string, key: string, reader: string])[] = [
  ['.cursor/mcp.json', 'mcpServers', 'Cursor'],
  ['.kiro/settings/mcp.json', 'mcpServers', 'Kiro'],
  ['.roo/mcp.json', 'mcpServers', 'Roo Code'],
];

const withoutList: ToolRule = {
  code: 'mcp/no-server-list',
  tool: 'any',
  severity: 'warning',
  source: { address: 'https://kiro.dev/docs/mcp/configuration', date: '2026-11-26' },
  check({ path, source: { value } }, _inventory, report) {
    const [, key, reader] = listKeys.find(([end]) => path.endsWith(end)) ?? [];
    if (key === undefined || (isObject(value) && (isObject(value[key]) || Object.keys(value).length === 0))) return;
    report({
      pointer: '',
      message: `${reader} reads the servers in ${quoted(key)}, an object of servers by name, which this file does not have: it starts none of them.`,
    });
  },
};

const targets = ['command', 'url', 'serverUrl', 'httpUrl'];

const withoutTarget: ToolRule = {
  code: 'mcp/server-without-target',
  tool: 'any',
  severity: 'error',
  source: { address: 'https://modelcontextprotocol.io/specification/2025-03-26/basic/transports', date: '2026-11-26' },
  isConfigRule: true,
  check(file, _inventory, report) {
    for (const { name, pointer, value } of file.facts.servers ?? []) {
      // An entry may only switch off a server that another list defines.
      const isSwitch = isObject(value) && Object.keys(value).every((key) => key === 'enabled' || key === 'disabled');
      const hasTarget = isObject(value) && targets.some((key) => Object.hasOwn(value, key));
      if (hasTarget || (isSwitch && Object.keys(value).length > 0)) continue;
      const fault = isObject(value) ? 'has neither a command nor a url' : 'is not an object';
      report({
        pointer,
        target: 'key',
        message: `The server ${quoted(name)} ${fault}, so no tool can start or reach it. Give it a command or a url.`,
      });
    }
  },
};

const commandLine: ToolRule = {
  code: 'mcp/command-line',
  tool: 'any',
  severity: 'error',
  source: { address: 'https://modelcontextprotocol.io/specification/2025-03-26/basic/transports', date: '2026-11-27' },
  isConfigRule: true,
  check(file, _inventory, report) {
    for (const { name, pointer, value } of serversIn(file)) {
      const [program, ...args] = (typeof value.command === 'string' && splitCommand(value.command)) || [];
      if (program === undefined) continue;
      report({
        pointer: `${pointer}/command`,
        message: `The server ${quoted(name)} cannot start: command names one program, and this is a command line. Write ${quoted(program)}, with args ${JSON.stringify(args)} before any others.`,
      });
    }
  },
};

/** What `type` says of a server, as far as all tools agree; of any other word this is not known. */
const transportOf: Readonly<Record<string, 'command' | 'url'>> = {
  stdio: 'command',
  local: 'command',
  http: 'url',
  'streamable-http': 'url',
  sse: 'url',
  remote: 'url',
};

/** Tools that read a server in a way of their own, which their own rules judge. */
const judgesServers = new Set(['codex', 'opencode', 'roo']);

const transportUnclear: ToolRule = {
  code: 'mcp/transport-unclear',
  tool: 'any',
  severity: 'warning',
  source: { address: 'https://code.visualstudio.com/docs/copilot/reference/mcp-configuration', date: '2026-11-27' },
  check(file, _inventory, report) {
    for (const { name, pointer, value } of judgesServers.has(file.tool) ? [] : serversIn(file)) {
      const has = { command: Object.hasOwn(value, 'command'), url: targets.slice(1).some((key) => Object.hasOwn(value, key)) };
      const needs = typeof value.type === 'string' && Object.hasOwn(transportOf, value.type) ? transportOf[value.type] : undefined;
      if (has.command && has.url)
        report({
          pointer: `${pointer}/command`,
          message: `The server ${quoted(name)} has a command and a url. Tools use one of them and ignore the other: remove one.`,
        });
      else if (needs !== undefined && !has[needs] && (has.command || has.url))
        report({
          pointer: `${pointer}/type`,
          message: `The server ${quoted(name)} is of type ${quoted(String(value.type))}, which needs a ${needs}, but has a ${needs === 'url' ? 'command' : 'url'}.`,
        });
    }
  },
};

const sseEnds: ToolRule = {
  code: 'mcp/sse-ends',
  tool: 'any',
  severity: 'info',
  source: { address: 'https://github.com/modelcontextprotocol/python-sdk/pull/2314', date: '2026-11-26' },
  check(file, _inventory, report) {
    for (const { name, pointer, value } of serversIn(file)) {
      if (value.type !== 'sse') continue;
      report({
        pointer: `${pointer}/type`,
        message: `The server ${quoted(name)} is reached over HTTP with SSE, which revision 2025-03-26 of MCP replaced by Streamable HTTP. Use "http" with the server's newer address once it has one.`,
      });
    }
  },
};

/** How tools write an environment variable in a server, and the placeholders that they fill in; of a tool that is not listed, this is not known. */
const placeholders: Readonly<
  Record<string, { readonly reader: string; readonly form: string; readonly isFilled: (name: string) => boolean }>
> = {
  cursor: { reader: 'Cursor', form: '${env:NAME}', isFilled: (name) => !/^[A-Z_][A-Z0-9_]*$/.test(name) },
  roo: { reader: 'Roo Code', form: '${env:NAME}', isFilled: (name) => !/^[A-Z_][A-Z0-9_]*$/.test(name) },
  kiro: { reader: 'Kiro', form: '${NAME}', isFilled: (name) => !name.startsWith('env:') },
  opencode: { reader: 'opencode', form: '{env:NAME}', isFilled: (name) => !/^(?:env:)?[A-Z_][A-Z0-9_]*$/.test(name) },
};

const variableNotFilled: ToolRule = {
  code: 'mcp/variable-not-filled',
  tool: 'any',
  severity: 'warning',
  source: { address: 'https://kiro.dev/docs/mcp/configuration', date: '2026-11-26' },
  check(file, _inventory, report) {
    const syntax = placeholders[file.tool];
    if (syntax === undefined) return;
    for (const { pointer, value: server } of serversIn(file)) {
      // A program may fill in its arguments itself: a shell, or mcp-remote with the variables that it gets here.
      const value = Object.fromEntries(Object.entries(server).filter(([key]) => key !== 'args' && key !== 'command'));
      for (const [place, text] of stringsIn(value, pointer)) {
        const name = [...text.matchAll(/\$\{([^{}]+)\}/g)].map(([, inner = '']) => inner).find((inner) => !syntax.isFilled(inner));
        if (name === undefined) continue;
        const variable = syntax.form.replace('NAME', name.replace(/^env:/, ''));
        report({
          pointer: place,
          message: `${syntax.reader} does not fill in ${quoted(`\${${name}}`)}: the server gets this text as it is. Write ${quoted(variable)}.`,
        });
      }
    }
  },
};

/** The strings of a server in which tools fill in variables, with their places. */
function* stringsIn(value: Json, pointer: string): Generator<readonly [pointer: string, text: string]> {
  if (typeof value === 'string') yield [pointer, value];
  else if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* stringsIn(item, `${pointer}/${index}`);
  else if (isObject(value)) for (const [key, part] of Object.entries(value)) yield* stringsIn(part, pointer + pointerOf(key));
}

const secretInPlainText: ToolRule = {
  code: 'mcp/secret-in-plain-text',
  tool: 'any',
  severity: 'error',
  source: { address: 'https://cwe.mitre.org/data/definitions/798.html', date: '2026-11-26' },
  isConfigRule: true,
  check(file, _inventory, report) {
    for (const { pointer, value } of serversIn(file)) {
      // opencode calls the variables of a server otherwise.
      const server = isObject(value.environment) ? { ...value, env: value.environment } : value;
      const named = new Map(
        [...namedSecrets(server)].map(({ path }) => [
          pointerOf(...(path[0] === 'env' && server !== value ? ['environment', ...path.slice(1)] : path)),
          true,
        ]),
      );
      for (const [place, text] of stringsIn(value, pointer)) {
        const key = place.split('/').at(-1);
        if (!named.has(place.slice(pointer.length)) && looksLikeSecret(text, key) === undefined) continue;
        report({
          pointer: place,
          message:
            'This is a secret in plain text, which everyone with access to the repository can read. Use an environment variable, and revoke the secret if it was shared.',
        });
      }
    }
  },
};

const importedKeys = ['mcpServers', 'servers', 'context_servers'];

/** What is true of every list of MCP servers, whichever tool reads it. */
export const mcp: OtherTool = {
  id: 'mcp',
  importer: {
    what: 'a list of MCP servers',
    shape:
      '.mcp.json, .vscode/mcp.json, .cursor/mcp.json, .gemini/settings.json, .zed/settings.json: mcpServers, servers or context_servers',
    example: { file: '.mcp.json' },
    recognise({ path, format, value }) {
      const isList = format === 'json' && /(?:^|\/)(?:\.?mcp|\.(?:gemini|zed)\/settings)\.json$/.test(path) && isObject(value);
      return isList && importedKeys.some((key) => isObject(value[key])) ? 'sure' : undefined;
    },
    read(source, draft) {
      const { value } = source;
      for (const key of importedKeys)
        for (const [name, server] of Object.entries(isObject(value) && isObject(value[key]) ? value[key] : {}))
          draft.server(name, server, { source, pointer: pointerOf(key, name) });
    },
  },
  rules: [serverDiffers, withoutList, withoutTarget, commandLine, transportUnclear, sseEnds, variableNotFilled, secretInPlainText],
};
