import { isForeignMcpKind, isMcpKind, type McpKind, mcpFiles } from '../../core/config/mcpFiles.js';
import type { TextRange } from '../../core/finding.js';
import { findPlaceholders, isExpanded } from '../../core/snapshot/placeholders.js';
import type { FileView } from '../names/fileView.js';
import { preview } from '../preview.js';
import { type Block, line } from './hoverText.js';

/** Documentation of a range of a string. */
export interface StretchWords {
  /** Offsets in the decoded string. */
  readonly within: TextRange;
  readonly blocks: readonly Block[];
}

/**
 * Documentation of the `${VAR}` or `secret://name` at an offset of a string: whether it is set, never its value.
 *
 * @param offset in the decoded string
 */
export function placeholderWords(
  view: FileView,
  text: string,
  offset: number,
  path: readonly (string | number)[],
): StretchWords | undefined {
  const { kind } = view.file.identity;
  if (text.startsWith('secret://') && !isForeignMcpKind(kind)) return secretWords(view, text);
  if (!text.includes('${')) return undefined;
  return isMcpKind(kind) ? serverVariableWords(view, kind, text, offset) : variableWords(view, text, offset, path);
}

function secretWords({ project, file }: FileView, text: string): StretchWords | undefined {
  const name = text.slice('secret://'.length);
  if (name === '' || file.identity.kind === 'payload') return undefined;
  const variable = name.toUpperCase().replace(/[^A-Z0-9_]/g, '_');
  const state = project.ruleContext.hasVariable(variable) ? 'which is set' : 'which is not set here';
  return {
    within: { start: 0, end: text.length },
    blocks: [
      line({ strong: 'Secret ' }, { code: name }),
      line(
        'It is looked up only when it is used: in the secret storage of the editor, and on the command line in the environment variable ',
        { code: variable },
        `, ${state}.`,
      ),
    ],
  };
}

function variableWords({ project }: FileView, text: string, offset: number, path: readonly (string | number)[]): StretchWords | undefined {
  const placeholder = findPlaceholders(text).find(({ start, end }) => start <= offset && offset <= end);
  if (placeholder === undefined) return undefined;
  const { name, fallback, start, end } = placeholder;
  const isSet = project.ruleContext.hasVariable(name);
  const consequence =
    fallback === undefined
      ? [isSet ? '.' : ', and there is no fallback: a run refuses to start.']
      : [isSet ? '. Otherwise it would be ' : ', so it is ', { code: preview(fallback, 60) }, '.'];
  const state = line({ strong: 'Environment variable ' }, { code: name }, isSet ? ' is set' : ' is not set', ...consequence);
  const literal = line('In this field it stays as written.');
  return { within: { start, end }, blocks: isExpanded(path) ? [state] : [state, literal] };
}

/** Placeholders that the reader of a list of MCP servers fills in when a server starts: `${env:X}`, `${input:x}`, `${X}`. */
function serverVariableWords({ project, value }: FileView, kind: McpKind, text: string, offset: number): StretchWords | undefined {
  const { variables } = mcpFiles[kind];
  const placeholder =
    variables === 'prefixed' ? undefined : findPlaceholders(text).find(({ start, end }) => start <= offset && offset <= end);
  if (placeholder !== undefined && placeholder.name !== 'workspaceFolder') {
    const { name, fallback, start, end } = placeholder;
    const isSet = project.ruleContext.hasVariable(name);
    const stateWords = isSet
      ? [' is set.']
      : fallback === undefined
        ? [' is not set.']
        : [' is not set, so it is ', { code: preview(fallback, 60) }, '.'];
    return { within: { start, end }, blocks: [line({ strong: 'Environment variable ' }, { code: name }, ...stateWords)] };
  }
  if (variables === 'plain') return undefined;
  for (const { 0: whole, 1: source, 2: name = '', index: start } of text.matchAll(/\$\{(env|input):([^}"]{0,1000})\}/g)) {
    const end = start + whole.length;
    if (offset < start || end < offset) continue;
    if (source === 'env') {
      const state = project.ruleContext.hasVariable(name) ? ' is set.' : ' is not set.';
      return { within: { start, end }, blocks: [line({ strong: 'Environment variable ' }, { code: name }, state)] };
    }
    const inputs = Array.isArray(value.inputs) ? value.inputs : [];
    const isKnown = inputs.some((input) => (input as { id?: unknown } | null)?.id === name);
    const state = isKnown ? ' is prompted for when the server is first started.' : ' is not among the inputs of this file.';
    return { within: { start, end }, blocks: [line({ strong: 'Input ' }, { code: name }, state)] };
  }
  return undefined;
}
