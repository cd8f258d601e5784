import type { ConfigFile } from '../config/configFile.js';
import { isMcpKind, type McpKind, mcpFiles, serversIn } from '../config/mcpFiles.js';
import type { ProjectIndex } from '../config/projectIndex.js';
import type { TextRange } from '../finding.js';
import { providerFacts } from '../generated/providerFacts.js';
import { isObject, type Json, type JsonObject, pointerOf } from '../json.js';
import type { Kind } from '../kinds.js';
import { inAddress, isWritten, namedSecrets } from '../secrets/namedSecrets.js';
import { isSecretName, looksLikeSecret, maskSecret, mayHoldSecret } from '../secrets/secretPatterns.js';
import { secretVariable } from '../secrets/secretVariable.js';
import { findPlaceholders, isExpanded } from '../snapshot/placeholders.js';
import { pathInFragment } from './facts/agentFragments.js';
import { visitStrings } from './facts/visitStrings.js';
import type { Report, Rule } from './rule.js';

/**
 * Something shaped like a key, a token or a password, anywhere in any file: a config is committed, shown in reviews and sent to models.
 * Runs on broken files too. No finding ever holds the secret itself, not even in its pointer.
 */
export const secretInPlainText: Rule = {
  code: 'secret-in-plain-text',
  severity: 'error',
  kinds: 'all',
  on: 'text',
  check(file, { project }, report) {
    const { kind } = file.identity;
    if (isMcpKind(kind)) checkServers(kind, file.value, report);
    if (kind === 'llm') checkOptions(file.value, '', report);
    if (kind === 'system' && isObject(file.value) && isObject(file.value.llms))
      for (const [id, profile] of Object.entries(file.value.llms)) checkOptions(profile, pointerOf('llms', id), report);
    checkKeyVariables(file, project, report);
    if (!mayHoldSecret(file.text)) return;
    if (file.value === undefined) checkText(file, report);
    else checkValue(file, report);
  },
};

/** Reports values of servers that are secrets by their names. Those with a known shape are reported by `checkValue`. */
function checkServers(kind: McpKind, value: Json | undefined, report: Report): void {
  for (const [id, server] of serversIn(kind, value)) {
    for (const { path, name, text, secret, start } of namedSecrets(server)) {
      const key = path[0] === 'env' || path[0] === 'headers' ? name : undefined;
      if (looksLikeSecret(text, key) === undefined) reportNamed(kind, secret, pointerOf(mcpFiles[kind].key, id, ...path), start, report);
    }
  }
}

/** Reports values that a profile passes to its provider under the name of a secret: `options.api_key`, and in the query of its address. */
function checkOptions(profile: Json | undefined, pointer: string, report: Report): void {
  if (!isObject(profile)) return;
  const { base_url, options } = profile;
  if (typeof base_url === 'string' && looksLikeSecret(base_url) === undefined)
    for (const { secret, start } of inAddress(base_url)) reportNamed('llm', secret, pointer + pointerOf('base_url'), start, report);
  if (!isObject(options)) return;
  for (const [name, text] of Object.entries(options)) {
    if (typeof text !== 'string' || !isSecretName(name) || looksLikeSecret(text, name) !== undefined || !isWritten(text)) continue;
    reportNamed('llm', text, pointer + pointerOf('options', name), 0, report);
  }
}

function reportNamed(kind: Kind, secret: string, pointer: string, start: number, report: Report): void {
  const end = start + secret.length;
  report({ pointer, within: { start, end }, message: messageFor('by its name', secret, kind), data: { shape: 'by its name', start, end } });
}

function checkValue(file: ConfigFile, report: Report): void {
  visitStrings(file.value, (text, half, segments) => {
    const key = half === 'value' ? segments().findLast((segment) => !/^\d+$/.test(segment)) : undefined;
    const match = looksLikeSecret(text, key);
    if (match === undefined) return;
    const { start, end, name } = match;
    const message = messageFor(name, text.slice(start, end), file.identity.kind);
    const path = segments();
    const firstSecret = path.findIndex((segment) => looksLikeSecret(segment) !== undefined);
    if (firstSecret === -1) {
      report({ pointer: pointerOf(...path), within: { start, end }, message, data: { shape: name, start, end } });
      return;
    }
    // The pointer would spell out the secret, so the finding names the object around it and gives its place in the text.
    const range = half === 'key' ? placeInText(file.text, text) : undefined;
    const pointer = pointerOf(...path.slice(0, firstSecret));
    if (half === 'key') report({ pointer, ...(range === undefined ? {} : { range }), message, data: { shape: name } });
    else report({ pointer, message, data: { shape: name } });
  });
}

/** Checks the text of a file that is not JSON. Only the first secret is reported. */
function checkText(file: ConfigFile, report: Report): void {
  const match = looksLikeSecret(file.text);
  if (match === undefined) return;
  const range = { start: match.start, end: match.end };
  report({
    pointer: '',
    range,
    message: messageFor(match.name, file.text.slice(range.start, range.end), file.identity.kind),
    data: { shape: match.name },
  });
}

function placeInText(text: string, key: string): TextRange | undefined {
  const quoted = JSON.stringify(key);
  const start = text.indexOf(quoted);
  return start < 0 ? undefined : { start, end: start + quoted.length };
}

function messageFor(shape: string, secret: string, kind: Kind): string {
  const reference = `"${isMcpKind(kind) ? mcpFiles[kind].secret : 'secret://NAME'}"`;
  return `This looks like a secret (${shape}): ${maskSecret(secret)} Keep it outside the project, write ${reference} where a key is needed, and revoke this one if it was ever shared.`;
}

const expandedKinds: ReadonlySet<Kind> = new Set(['agent', 'llm', 'persona', 'prompt', 'system', 'orchestration']);

/** Reports variables that hold keys: the values have no known shape, and would be written into every snapshot. */
function checkKeyVariables(file: ConfigFile, project: ProjectIndex, report: Report): void {
  if (!expandedKinds.has(file.identity.kind) || !(file.text.includes('${') || file.text.includes('\\u'))) return;
  const keys = keyVariables(project);
  visitStrings(file.value, (text, half, segments) => {
    if (half === 'key' || !text.includes('${') || text.startsWith('secret://')) return;
    const path = segments();
    if (!isExpanded(pathInFragment(file, path))) return;
    for (const { name, start, end } of findPlaceholders(text)) {
      const owner = keys.get(name);
      if (owner === undefined) continue;
      const message = `\${${name}} is the key of ${owner}, and an expanded value is written into every snapshot. Remove it; only api_key and api_key_env may name a key.`;
      report({ pointer: pointerOf(...path), within: { start, end }, message, data: { variable: name, start, end } });
    }
  });
}

/** The environment variables that hold keys, with the owner of each key: `the llm profile "openai"`. */
function keyVariables(project: ProjectIndex): ReadonlyMap<string, string> {
  const variables = new Map<string, string>();
  for (const { name, keyVariable } of providerFacts) if (keyVariable !== undefined) variables.set(keyVariable, `the provider ${name}`);
  for (const id of project.ids('system').keys()) {
    const { llms } = project.value('system', id) ?? {};
    for (const [profile, value] of Object.entries(isObject(llms) ? llms : {})) if (isObject(value)) addVariables(variables, profile, value);
  }
  for (const id of project.ids('llm').keys()) addVariables(variables, id, project.value('llm', id));
  return variables;
}

function addVariables(variables: Map<string, string>, id: string, { api_key, api_key_env }: JsonObject = {}): void {
  const owner = `the llm profile ${JSON.stringify(id)}`;
  if (typeof api_key === 'string' && api_key.startsWith('secret://'))
    variables.set(secretVariable(api_key.slice('secret://'.length)), owner);
  if (typeof api_key_env === 'string') variables.set(api_key_env, owner);
}
