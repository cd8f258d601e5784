import { isObject, type Json, type JsonObject, listOf, pointerOf } from '../../json.js';
import { quoted } from '../../words.js';
import { serversAt } from '../facts.js';
import type { NamedFact, OwnFile, ToolRule } from '../toolFiles.js';
import { textField } from '../values.js';

/** Fields that name files or folders of the plug-in. */
const pathFields = ['commands', 'agents', 'skills', 'hooks', 'mcpServers', 'lspServers', 'outputStyles', 'workflows'] as const;

/** The manifest of a plug-in. */
export const pluginFile: OwnFile = {
  place: '.claude-plugin/plugin.json',
  facts: (source, folder) => ({
    servers: serversAt(source, '/mcpServers'),
    files: pathsIn(source.value).flatMap(({ name }) => inside(name, folder) ?? []),
  }),
  isPlugin: true,
};

function pathsIn(manifest: Json): readonly NamedFact[] {
  if (!isObject(manifest)) return [];
  return pathFields.flatMap((field) => {
    const value = manifest[field];
    if (typeof value === 'string') return [{ name: value, pointer: pointerOf(field) }];
    return listOf(value).flatMap((name, index) => (typeof name === 'string' ? [{ name, pointer: pointerOf(field, index) }] : []));
  });
}

/** The project path that a path of the manifest means; undefined for the plug-in itself, and for what is not in it. */
function inside(path: string, folder: string): string | undefined {
  const rest = /^\.\/(.*?)\/*$/.exec(path)?.[1] ?? '';
  if (rest === '' || rest.split('/').some((segment) => segment === '' || segment === '.' || segment === '..') || rest.includes('*'))
    return undefined;
  return folder === '' ? rest : `${folder}/${rest}`;
}

/** What keeps a plug-in, or a part of it, from being loaded. */
const pluginInvalid: ToolRule = {
  code: 'claude-code/plugin-invalid',
  tool: 'claude-code',
  severity: 'error',
  source: { address: 'https://code.claude.com/docs/en/plugins-reference', date: '2026-11-26' },
  check(file, inventory, report) {
    if (file.kind !== pluginFile || !isObject(file.source.value)) return;
    const manifest: JsonObject = file.source.value;
    if (textField(manifest, 'name') === undefined)
      report({
        pointer: '',
        message: 'Claude Code loads no plug-in whose manifest has no name. Give it a "name" in small letters with hyphens.',
      });
    if (typeof manifest.keywords === 'string')
      report({ pointer: '/keywords', message: 'Claude Code does not load this plug-in: "keywords" has to be a list of texts.' });
    for (const { name, pointer } of pathsIn(manifest)) {
      const path = inside(name, file.folder);
      if (name.split('/').includes('..'))
        report({
          pointer,
          message: `${quoted(name)} is outside of the plug-in, which is all that is installed of it. Move it into the plug-in.`,
        });
      else if (!name.startsWith('./') && name !== '.' && !/^(?:https?:|\$\{)/.test(name))
        report({
          pointer,
          message: `Claude Code takes only paths that begin with "./". Write ${quoted(`./${name.replace(/^\/+/, '')}`)}.`,
        });
      else if (path !== undefined && inventory.exists(path) === false)
        report({
          pointer,
          // A build may make it.
          severity: 'warning',
          message: `${path} does not exist, so this plug-in comes without it. Correct the path, or add the file.`,
        });
    }
  },
};

export const pluginRules: readonly ToolRule[] = [pluginInvalid];
