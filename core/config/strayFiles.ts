import type { Finding } from '../finding.js';
import type { DirectoryEntry } from '../ports.js';
import { configPrefix, identifyFile, type Place, places } from './paths.js';
import type { ProjectSettings } from './projectSettings.js';

/** Formats in which other tools keep configs, by extension. */
const otherFormats: ReadonlyMap<string, string> = new Map([
  ['yaml', 'YAML'],
  ['yml', 'YAML'],
  ['jsonc', 'JSON with comments'],
  ['json5', 'JSON5'],
]);

/** Files in another format where JSON is expected: they are never read. */
export function findOtherFormats(
  entries: readonly DirectoryEntry[],
  isOurs: (name: string) => boolean,
  folder: string,
): readonly Finding[] {
  return entries.flatMap(({ name }) => {
    const [, stem, extension = ''] = /^(.+)\.(\w+)$/.exec(name) ?? [];
    const format = otherFormats.get(extension.toLowerCase());
    if (stem === undefined || format === undefined || !isOurs(`${stem}.json`)) return [];
    const hasJson = entries.some((other) => other.name === `${stem}.json`);
    const advice = hasJson
      ? `Remove it, or move it to another folder: ${stem}.json is what counts.`
      : `Write it as ${stem}.json; the files of other tools are imported with \`agent-stack import\`.`;
    const message = `This is ${format}, which is not read: files in ${folder === '' ? 'this folder' : folder} are JSON. ${advice}`;
    return [unread(folder === '' ? name : `${folder}/${name}`, message, 'format')];
  });
}

/** `system_config.yml` and the like, which other tools use for settings shared by all agents and teams. */
export function findSystemConfigs(entries: readonly DirectoryEntry[], settings: Settings): readonly Finding[] {
  const prefix = configPrefix(settings);
  const home = `what all agents share is in ${prefix}system.json, and teams are in ${prefix}orchestrations`;
  return entries
    .filter(({ name }) => /^system_config\.(?:ya?ml|json)$/i.test(name))
    .map(({ name }) =>
      unread(`${prefix}${name}`, `Nothing reads this file: ${home}. Write it there, or import it with \`agent-stack import\`.`, 'place'),
    );
}

/** JSON files in a folder of a place, but above or below the level that is read. */
export function findStrays(entries: readonly DirectoryEntry[], place: Place, folder: string, settings: Settings): readonly Finding[] {
  return entries.flatMap(({ name, kind }) => {
    if (kind === 'directory' || name.startsWith('.') || !(name.endsWith('.json') || isLostPrompt(`${folder}/${name}`, settings))) return [];
    const [article, ...fields] = wordsOf(place);
    const home = `${configPrefix(settings)}${place.folder}/${fields.map((field) => `{${field}}`).join('/')}${name.slice(name.lastIndexOf('.'))}`;
    return [unread(`${folder}/${name}`, `Nothing reads this file: ${article} is ${home}. Move it there, or to another folder.`, 'place')];
  });
}

/** A prompt in Markdown without a folder of its own. A README there explains the others. */
function isLostPrompt(path: string, settings: Settings): boolean {
  const folder = `${configPrefix(settings)}prompts/`;
  return path.startsWith(folder) && /^(?!readme\.md$)[^/]+\.md$/i.test(path.slice(folder.length));
}

/** Whether a path is one that `findStrays` reports. */
export function isStray(path: string, settings: Settings): boolean {
  if (isLostPrompt(path, settings)) return true;
  const prefix = configPrefix(settings);
  const segments = path.startsWith(prefix) && path.endsWith('.json') ? path.slice(prefix.length).split('/') : [];
  const place = places.find(({ fixed, folder }) => fixed === undefined && folder === segments[0]);
  if (place === undefined || segments.length > place.fields.length + 2 || segments.some((segment) => segment.startsWith('.'))) return false;
  return identifyFile(path, settings) === undefined;
}

type Settings = Pick<ProjectSettings, 'config_dir'>;

/** What a file of the place is, and what its folders and its name stand for. */
function wordsOf({ kind, folder }: Place): readonly [string, ...string[]] {
  switch (kind) {
    case 'agent':
      return ['an agent', 'agent_name', 'version'];
    case 'prompt':
      return ['a prompt', 'name', 'version'];
    case 'payload':
      return ['a payload', 'agent_name', 'case'];
    case 'llm':
      return ['an llm profile', 'llm_id'];
    case 'persona':
      return ['a persona', 'persona_key'];
    case 'orchestration':
      return ['an orchestration', 'name'];
    default:
      return [folder === 'environments' ? 'an environment' : 'a config', 'name'];
  }
}

function unread(file: string, message: string, reason: 'format' | 'place'): Finding {
  return { code: 'foreign-file', severity: 'warning', message, file, pointer: '', range: { start: 0, end: 0 }, data: { reason } };
}
