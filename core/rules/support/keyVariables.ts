import type { ConfigFile } from '../../config/configFile.js';
import type { ProjectIndex } from '../../config/projectIndex.js';
import { isObject, type JsonObject, pointerOf } from '../../json.js';
import type { Kind } from '../../kinds.js';
import { providerFacts } from '../../llm/providers/providerFacts.js';
import { secretVariable } from '../../secrets/secretVariable.js';
import { findPlaceholders, isExpanded } from '../../snapshot/placeholders.js';
import type { Report } from '../rule.js';
import { pathInFragment } from './pathInFragment.js';
import { visitStrings } from './visitStrings.js';

const expandedKinds: ReadonlySet<Kind> = new Set(['agent', 'llm', 'persona', 'prompt', 'system', 'orchestration']);

/** A variable that a key is looked up in has no shape, and its value would be written into every snapshot. */
export function checkKeyVariables(file: ConfigFile, project: ProjectIndex, report: Report): void {
  if (!expandedKinds.has(file.identity.kind) || !(file.text.includes('${') || file.text.includes('\\u'))) return;
  const keys = keyVariables(project);
  visitStrings(file.value, (text, half, segments) => {
    if (half === 'key' || !text.includes('${') || text.startsWith('secret://')) return;
    const path = segments();
    if (!isExpanded(pathInFragment(file, path))) return;
    for (const { name, start, end } of findPlaceholders(text)) {
      const whose = keys.get(name);
      if (whose === undefined) continue;
      const message = `\${${name}} is the key of ${whose}, and an expanded value is written into every snapshot. Take it out; a key is named by api_key or api_key_env alone.`;
      report({ pointer: pointerOf(...path), within: { start, end }, message, data: { variable: name, start, end } });
    }
  });
}

/** The environment variables in which keys are looked up, with whose key each holds: `the llm profile "openai"`. */
function keyVariables(project: ProjectIndex): ReadonlyMap<string, string> {
  const variables = new Map<string, string>();
  for (const { name, keyVariable } of providerFacts) if (keyVariable !== undefined) variables.set(keyVariable, `the provider ${name}`);
  for (const id of project.ids('system').keys()) {
    const { llms } = project.value('system', id) ?? {};
    for (const [profile, value] of Object.entries(isObject(llms) ? llms : {})) if (isObject(value)) add(variables, profile, value);
  }
  for (const id of project.ids('llm').keys()) add(variables, id, project.value('llm', id));
  return variables;
}

function add(variables: Map<string, string>, id: string, { api_key, api_key_env }: JsonObject = {}): void {
  const whose = `the llm profile ${JSON.stringify(id)}`;
  if (typeof api_key === 'string' && api_key.startsWith('secret://'))
    variables.set(secretVariable(api_key.slice('secret://'.length)), whose);
  if (typeof api_key_env === 'string') variables.set(api_key_env, whose);
}
