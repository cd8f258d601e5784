import type { FileIdentity } from '../config/configFile.js';
import { isObject } from '../json.js';
import { isDeviceName, isLegalName, type Kind, nameWords } from '../kinds.js';
import type { Rule } from './rule.js';

/** The field that holds a kind's name, and the part of the path that must be equal. */
const nameFields: Readonly<Partial<Record<Kind, { readonly field: string; readonly where: 'folder' | 'file' }>>> = {
  agent: { field: 'agent_name', where: 'folder' },
  llm: { field: 'llm_id', where: 'file' },
  prompt: { field: 'name', where: 'folder' },
  orchestration: { field: 'name', where: 'file' },
};

/**
 * Files are found by path and refer to each other by name, so the two must agree. In files without a name field,
 * the path alone has to be a legal name.
 */
export const nameMatchesPath: Rule = {
  code: 'name-matches-path',
  severity: 'error',
  kinds: ['agent', 'llm', 'prompt', 'orchestration', 'persona', 'payload', 'baseline', 'system'],
  on: 'value',
  check(file, _context, report) {
    if (!isObject(file.value)) return;
    const place = nameFields[file.identity.kind];
    // In files with a name field, the rule `schema` judges the characters.
    const illegal = namesInPath(file.identity).find(place === undefined ? (name) => !isLegalName(name) : isDeviceName);
    if (place === undefined) {
      if (illegal !== undefined) report({ pointer: '', message: illegalName(illegal), data: { found: illegal } });
      return;
    }
    const { field, where } = place;
    const name = file.value[field];
    // A mistyped name is reported by the rule `schema`; without one, the path is the name.
    if (name !== undefined && typeof name !== 'string') return;
    if (name === undefined || name === file.identity.name) {
      if (illegal !== undefined) report({ pointer: '', message: illegalName(illegal), data: { found: illegal } });
      return;
    }
    const expected = file.identity.name;
    report({
      pointer: `/${field}`,
      message: `${field} is ${JSON.stringify(name)}, but the ${where} is called ${JSON.stringify(expected)}. Make them equal.`,
      data: { field, expected, found: name },
    });
  },
};

function namesInPath({ agent, name, version }: FileIdentity): readonly string[] {
  return [agent, name, version].filter((part) => part !== undefined);
}

function illegalName(name: string): string {
  return `${JSON.stringify(name)} in the path is not a name that others can refer to: ${nameWords}. Rename it.`;
}
