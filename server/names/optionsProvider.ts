import type { FileIdentity } from '../../core/config/configFile.js';
import { defaultProvider } from '../../core/config/defaults.js';
import { isObject, type Json, type JsonObject } from '../../core/json.js';
import { environmentId } from '../../core/snapshot/collectFragments.js';
import type { Path } from '../jsonTree.js';
import type { Project } from '../workspace.js';

/**
 * The provider that gets the `options` on a path: of an llm profile, or of one in a system or environment file. Undefined on another path, and where
 * a variable decides.
 *
 * @param valueAt the value at a path of the file, as far as it can be read
 */
export function optionsProvider(
  { kind, name }: Pick<FileIdentity, 'kind' | 'name'>,
  path: Path,
  valueAt: (path: Path) => Json | undefined,
  project: Project,
): string | undefined {
  if (kind === 'llm') return path[0] === 'options' ? profileProvider(name, valueAt(['provider']), project) : undefined;
  const [section, id, field] = path;
  if (kind !== 'system' || section !== 'llms' || typeof id !== 'string' || field !== 'options') return undefined;
  // The profile itself is the higher layer.
  return profileProvider(id, project.index.value('llm', id)?.provider ?? valueAt([section, id, 'provider']), project);
}

/** The provider of an llm profile: the one written in it, otherwise that of the layers below, for the environment of the settings. */
export function profileProvider(id: string, written: Json | undefined, { index, settings }: Project): string | undefined {
  const files = [environmentId(settings.environment), 'system'].map((file) => index.value('system', file));
  const layers = files.flatMap((file) => [memberOf(memberOf(file, 'llms'), id), memberOf(file, 'agent_defaults')]);
  const provider = [written, ...layers.map((layer) => memberOf(layer, 'provider'))].find((value) => value !== undefined) ?? defaultProvider;
  return typeof provider === 'string' && !provider.includes('${') ? provider : undefined;
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? (value as JsonObject)[name] : undefined;
}
