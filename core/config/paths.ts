import type { Kind } from '../kinds.js';
import { mcpLists } from '../otherTools/index.js';
import type { FileIdentity } from './configFile.js';
import type { ProjectSettings } from './projectSettings.js';

/** The fields that name the folders and the file itself. */
type Fields = readonly ['name'] | readonly ['name', 'version'] | readonly ['agent', 'name'] | readonly [];

/** Where files of a kind are under the config folder: `folder/{field}/.../{last field}.json`, or one fixed file. Prompts may be `.md` as well. */
export interface Place {
  readonly kind: Kind;
  /** Folder below the config folder; empty for a fixed file. */
  readonly folder: string;
  /** One path segment each; the last is the file name without its extension. */
  readonly fields: Fields;
  /** Name and id of the single fixed file. */
  readonly fixed?: string;
}

export const places: readonly Place[] = [
  { kind: 'agent', folder: 'agents', fields: ['name', 'version'] },
  { kind: 'llm', folder: 'llms', fields: ['name'] },
  { kind: 'persona', folder: 'personas', fields: ['name'] },
  { kind: 'prompt', folder: 'prompts', fields: ['name', 'version'] },
  { kind: 'orchestration', folder: 'orchestrations', fields: ['name'] },
  { kind: 'payload', folder: 'payloads', fields: ['agent', 'name'] },
  { kind: 'baseline', folder: 'baselines', fields: ['name'] },
  { kind: 'system', folder: 'environments', fields: ['name'] },
  { kind: 'system', folder: '', fields: [], fixed: 'system' },
  { kind: 'mcp', folder: '', fields: [], fixed: 'mcp' },
  { kind: 'lock', folder: '', fields: [], fixed: 'mcp.lock' },
];

const extension = '.json';

/** A prompt may also be Markdown: the template as text, the other fields as front matter. */
const promptExtension = '.md';

/** The name of a file without the extension that a file of its kind has; undefined for any other file. */
function stemOf(file: string, isPrompt: boolean): string | undefined {
  if (file.endsWith(extension)) return file.slice(0, -extension.length);
  // A folder of prompts may explain itself.
  return isPrompt && file.endsWith(promptExtension) && !/(?:^|\/)readme\.md$/i.test(file)
    ? file.slice(0, -promptExtension.length)
    : undefined;
}

/** The settings are in the project folder itself, since they say where the config folder is. */
export const settingsPath = 'agentstack.json';

/** The lists of MCP servers that other tools read, always in the project folder, wherever the config folder is. */
export const otherMcpFiles: ReadonlyMap<string, FileIdentity> = new Map(
  mcpLists.map(({ path, kind }) => [path, { kind, name: 'mcp', id: 'mcp' }]),
);

export const settingsIdentity: FileIdentity = { kind: 'settings', name: 'agentstack', id: 'agentstack' };

/** `config/` with the default settings; empty if the project folder itself is the config folder. Ends with `/` otherwise. */
export function configPrefix(settings: Pick<ProjectSettings, 'config_dir'>): string {
  return settings.config_dir === '.' ? '' : `${settings.config_dir}/`;
}

/**
 * The identity of a file by its project path, or undefined if no config file belongs there. Names are used as they are, legal or not
 * (`isLegalName`), so that a misnamed file is reported and not overlooked; names that begin with a dot are ignored.
 */
export function identifyFile(path: string, settings: PlaceSettings): FileIdentity | undefined {
  if (path === settingsPath) return settingsIdentity;
  const other = otherMcpFiles.get(path);
  if (other !== undefined) return other;
  const prefix = configPrefix(settings);
  const stem = path.startsWith(prefix) ? stemOf(path.slice(prefix.length), path.startsWith(`${prefix}prompts/`)) : undefined;
  if (stem === undefined) return undefined;
  const segments = stem.split('/');
  const place = placeAt.get(segments.length === 1 ? `${segments[0]}${extension}` : (segments[0] as string));
  return place === undefined ? undefined : marked(identityIn(place, segments), settings);
}

type PlaceSettings = Pick<ProjectSettings, 'config_dir'> & Partial<Pick<ProjectSettings, 'needs_marks'>>;

function marked(identity: FileIdentity | undefined, { needs_marks }: PlaceSettings): FileIdentity | undefined {
  return identity === undefined || needs_marks !== true ? identity : { ...identity, needsMark: true };
}

/**
 * The identity of a file in a folder of a place.
 *
 * @param folders names of the folders between the folder of the place and the file
 * @param file its name, with extension
 */
export function identityAt(place: Place, folders: readonly string[], file: string, settings: PlaceSettings): FileIdentity | undefined {
  const name = stemOf(file, place.kind === 'prompt');
  if (name === undefined || folders.length + 1 !== place.fields.length) return undefined;
  if (!isOurs(name) || !folders.every(isOurs)) return undefined;
  return marked(folders.length === 0 ? identityOf(place, name) : identityOf(place, folders[0] as string, name), settings);
}

function isOurs(segment: string): boolean {
  return segment !== '' && !segment.startsWith('.');
}

/** @param segments of the path below the config folder, the last without its extension */
function identityIn(place: Place, segments: readonly string[]): FileIdentity | undefined {
  const { kind, fixed, fields } = place;
  if (!segments.every(isOurs)) return undefined;
  if (fixed !== undefined) return segments.length === 1 ? { kind, name: fixed, id: fixed } : undefined;
  if (segments.length !== fields.length + 1) return undefined;
  return identityOf(place, segments[1] as string, segments[2]);
}

/** Places by their folder, and fixed ones by their file. */
const placeAt: ReadonlyMap<string, Place> = new Map(
  places.map((place) => [place.fixed === undefined ? place.folder : `${place.fixed}${extension}`, place]),
);

/**
 * The project path of a file, from the id by which other files refer to it: `pathOf('agent', 'Reviewer@v1', settings)`. Makes a path from any
 * id, legal or not; reading a path that leaves the project is refused by the file system.
 */
export function pathOf(kind: Kind, id: string, settings: Pick<ProjectSettings, 'config_dir'>): string {
  if (kind === 'settings') return settingsPath;
  for (const [path, other] of otherMcpFiles) if (other.kind === kind) return path;
  const prefix = configPrefix(settings);
  const fixed = places.find((place) => place.kind === kind && place.fixed === id);
  if (fixed !== undefined) return `${prefix}${id}${extension}`;
  const place = places.find((candidate) => candidate.kind === kind && candidate.fixed === undefined);
  if (place === undefined) return `${prefix}${kind}${extension}`;
  const reserved = place.folder === 'environments' && id.startsWith('environments/') ? id.slice('environments/'.length) : id;
  const segments = place.fields[1] === 'version' ? splitVersion(reserved) : [reserved];
  return `${prefix}${place.folder}/${segments.join('/')}${extension}`;
}

/** The same for another file in the format of the one at `from`: a copy of a prompt in Markdown is Markdown, too. */
export function pathLike(from: string, kind: Kind, id: string, settings: Pick<ProjectSettings, 'config_dir'>): string {
  const path = pathOf(kind, id, settings);
  return kind === 'prompt' && from.endsWith(promptExtension) ? `${path.slice(0, -extension.length)}${promptExtension}` : path;
}

/** Whether two files are the same config in two formats, as only a prompt can be. */
export function isOtherFormat(left: string, right: string): boolean {
  const withoutExtension = (path: string) => path.replace(/\.\w+$/, '');
  return left !== right && withoutExtension(left) === withoutExtension(right);
}

/** From the values of the place's fields. */
function identityOf({ kind, folder, fields }: Place, first: string, second?: string): FileIdentity {
  if (second !== undefined) {
    return fields[0] === 'agent'
      ? { kind, name: second, agent: first, id: `${first}/${second}` }
      : { kind, name: first, version: second, id: `${first}@${second}` };
  }
  // An environment called `system` keeps its folder in its id, since `system` is the id of system.json.
  const clashes = places.some((other) => other.kind === kind && other.fixed === first);
  return { kind, name: first, id: clashes ? `${folder}/${first}` : first };
}

function splitVersion(id: string): string[] {
  const at = id.lastIndexOf('@');
  return at < 0 ? [id] : [id.slice(0, at), id.slice(at + 1)];
}
