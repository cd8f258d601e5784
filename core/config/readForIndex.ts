import { isObject, type JsonObject } from '../json.js';
import { jsonIn } from '../jsonText/parseJson.js';
import type { Kind } from '../kinds.js';
import type { ConfigFile, FileIdentity } from './configFile.js';
import { decidingKeys, parseConfigFile, withoutOurs } from './parseConfigFile.js';

/** What an index wants to know of a file. */
export type IndexedFile = Pick<ConfigFile, 'path' | 'identity' | 'value' | 'foreign'>;

/** A field that the schema of the kind has at the root, and nearly every file of the kind too. */
const tellingFields: Readonly<Partial<Record<Kind, string>>> = {
  agent: 'agent_name',
  llm: 'llm_id',
  orchestration: 'teams',
  payload: 'input',
  prompt: 'template',
};

/** A file as `parseConfigFile` has it, but for what is wrong with it, which takes as long to find out as all the rest. */
export function readForIndex(path: string, text: string, identity: FileIdentity): IndexedFile {
  const whole = jsonIn(text);
  if (!isObject(whole)) return { path, identity, value: whole, foreign: false };
  // Only the schema can tell that a file is plainly something else.
  if (!isPlainlyOurs(whole, identity)) return parseConfigFile(path, text, identity);
  return { path, identity, value: withoutOurs(whole), foreign: false };
}

function isPlainlyOurs(value: JsonObject, { kind }: FileIdentity): boolean {
  const telling = tellingFields[kind];
  if (telling === undefined || !Object.hasOwn(value, telling)) return false;
  return Object.keys(value).indexOf(telling) < decidingKeys;
}
