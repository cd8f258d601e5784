import { defaultProvider } from '../../config/defaults.js';
import { pathOf } from '../../config/paths.js';
import { isObject, pointerOf, valueAt } from '../../json.js';
import { isLegalName } from '../../kinds.js';
import { findForeignName } from '../../otherTools/fieldNames.js';
import { fieldsAt } from '../../schema/kindFields.js';
import { quoted } from '../../words.js';
import type { ForeignHome, ForeignKey } from './foreignKey.js';
import { isModelParameter } from './profileOptions.js';

const keyFiles: ReadonlySet<string> = new Set(['credentials_path', 'credentials_file', 'credentials', 'key_file', 'service_account_file']);

/** A profile whose key is in a file: keys come from the secret store or the environment. */
export function homeOfKeyFile(foreign: ForeignKey): ForeignHome | undefined {
  const { file, key, segments, names } = foreign;
  if (!keyFiles.has(key) || !names.includes('api_key')) return undefined;
  const id = segments.at(-1) ?? file.identity.name;
  const around = valueAt(file.value, pointerOf(...segments));
  const isTaken = isObject(around) && (around.api_key !== undefined || around.api_key_env !== undefined);
  const reference = `secret://${isLegalName(id) ? id : 'llm'}_api_key`;
  const advice = isTaken ? 'One of them is there already.' : `Write "api_key": ${quoted(reference)} and store the key under that name.`;
  return {
    message: `${quoted(key)} names a file with a key, which is not read: a key comes from "api_key" (a secret:// reference) or "api_key_env". ${advice}`,
    ...(!isTaken && { sets: { [pointerOf(...segments, 'api_key')]: reference } }),
    replaced: [pointerOf(...segments, key)],
    safe: false,
  };
}

/** `top_k` or `base_url` of an agent: how a model is reached and what only its provider understands is in the llm profile. */
export function homeInProfile(foreign: ForeignKey): ForeignHome | undefined {
  return profileHome(foreign, foreign.key, [...foreign.segments, foreign.key]);
}

/**
 * The home of a key of an agent, or of a group in it, that is for the llm profile.
 *
 * @param from keys that lead to its value
 */
export function profileHome(
  { file, project, segments, names }: ForeignKey,
  key: string,
  from: readonly string[],
): (ForeignHome & { readonly field: string }) | undefined {
  if (!names.includes('agent_type')) return undefined;
  const place = keyFiles.has(key) ? ['api_key'] : placeInProfile(key, names);
  if (place === undefined) return undefined;
  const around = valueAt(file.value, pointerOf(...segments));
  const { llm_config_id, provider } = isObject(around) ? around : {};
  const value = valueAt(file.value, pointerOf(...from)) ?? null;
  // The key itself, or the file that it is in, is not a value for a profile.
  const canMove = place[0] !== 'api_key' || (typeof value === 'string' && value.startsWith('secret://') && !keyFiles.has(key));
  const what = place[0] === 'options' && place.length > 1 ? 'what only the provider understands' : 'how the model is reached';
  const inPlace = place.length > 1 ? `in "options" of its llm profile` : `in its llm profile as ${quoted(place[0])}`;
  const say = (path: string) => `${quoted(key)} is not a field of an agent: ${what} belongs ${inPlace}, ${path}.`;
  const home = { field: key, safe: false };
  if (typeof llm_config_id === 'string') {
    const path = project.ids('llm').get(llm_config_id);
    const profile = project.value('llm', llm_config_id);
    const parent = place.length > 1 ? profile?.[place[0] ?? ''] : profile;
    const isFree = path !== undefined && (parent === undefined || (isObject(parent) && !Object.hasOwn(parent, place.at(-1) ?? '')));
    return {
      ...home,
      message: say(path ?? pathOf('llm', llm_config_id, project.settings)),
      ...(isFree && canMove && { elsewhere: { path, from: pointerOf(...from), to: pointerOf(...place) } }),
    };
  }
  const id = file.identity.name;
  const path = pathOf('llm', id, project.settings);
  if (segments.length > 0 || llm_config_id !== undefined || !canMove || !isLegalName(id) || project.ids('llm').has(id))
    return { ...home, message: say(pathOf('llm', '{llm_id}', project.settings)) };
  const [first = key, ...inner] = place;
  const profile = {
    llm_id: id,
    provider: provider ?? defaultProvider,
    [first]: inner[0] === undefined ? value : { [inner[0]]: value },
  };
  return { ...home, message: say(path), files: [{ path, value: profile, from: [pointerOf(...from)] }], sets: { '/llm_config_id': id } };
}

/** Keys that lead to the place of a key in a profile; undefined where a profile has none for it, or an agent with the fields `own` has one. */
function placeInProfile(key: string, own: readonly string[]): readonly string[] | undefined {
  if (isModelParameter(key)) return ['options', key];
  const names = fieldsAt('llm', []) ?? [];
  const field = names.includes(key) ? key : findForeignName(key, names)?.replacement;
  return field === undefined || field === 'llm_id' || own.includes(field) ? undefined : [field];
}
