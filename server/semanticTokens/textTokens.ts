import type { ASTNode, StringASTNode } from 'vscode-json-languageservice';
import { isMcpKind } from '../../core/config/mcpFiles.js';
import type { TextRange } from '../../core/finding.js';
import type { Kind } from '../../core/kinds.js';
import { findTemplatePaths } from '../../core/prompt/template.js';
import { mayBePlain } from '../../core/snapshot/effective.js';
import { findPlaceholders, isExpanded } from '../../core/snapshot/placeholders.js';
import { endOf, type JsonTree, type Path, rangeOf } from '../jsonTree.js';
import { rawStretches } from '../names/fileView.js';
import { schemasAt, valuesOf } from '../schemaDocs.js';
import type { TokenModifier, TokenType } from './legend.js';

/** A range of a text, on one line. */
export interface Token extends TextRange {
  readonly type: TokenType;
  readonly modifiers: readonly TokenModifier[];
}

/**
 * The `{{paths}}`, `${VAR}`, `secret://` references and enum values in the strings of a file, in file order: a few strings at a time, so that a
 * caller can pause between.
 */
export function* textTokens({ text, root }: JsonTree, kind: Kind, range: TextRange): Generator<readonly Token[], void, undefined> {
  let tokens: Token[] = [];
  const isTemplate = templatesOf(kind, root);
  for (const { node, path } of stringsIn(root, [], range)) {
    for (const token of tokensOf(text, node, kind, path, isTemplate)) tokens.push(token);
    if (tokens.length < 1_000) continue;
    yield tokens;
    tokens = [];
  }
  yield tokens;
}

interface PlacedString {
  readonly node: StringASTNode;
  readonly path: Path;
}

/** The strings among the values in a range. */
function* stringsIn(node: ASTNode | undefined, path: Path, range: TextRange): Generator<PlacedString, void, undefined> {
  if (node === undefined || node.offset >= range.end || endOf(node) <= range.start) return;
  if (node.type === 'string') yield { node, path };
  else if (node.type === 'array') for (const [index, item] of node.items.entries()) yield* stringsIn(item, [...path, index], range);
  else if (node.type === 'object')
    for (const { keyNode, valueNode } of node.properties) yield* stringsIn(valueNode, [...path, keyNode.value], range);
}

function tokensOf(text: string, node: StringASTNode, kind: Kind, path: Path, isTemplate: (path: Path) => boolean): readonly Token[] {
  const { value } = node;
  const token = (type: TokenType, range: TextRange, ...modifiers: readonly TokenModifier[]): Token => ({ ...range, type, modifiers });
  const stretches = (parts: readonly TextRange[]) => rawStretches(text, rangeOf(node), parts);
  if (value.startsWith('secret://')) return stretches([{ start: 0, end: value.length }]).map((range) => token('macro', range, 'readonly'));
  const tokens: Token[] = [];
  if (value.includes('{{') && isTemplate(path))
    for (const range of stretches(findTemplatePaths(value))) tokens.push(token('variable', range));
  if (value.includes('${') && isFilledIn(kind, path)) {
    const places = isMcpKind(kind) ? mcpPlaceholders(value) : findPlaceholders(value);
    for (const range of stretches(places)) tokens.push(token('macro', range));
  }
  if (tokens.length > 0) return tokens.sort((left, right) => left.start - right.start);
  return isAllowedValue(kind, path, value) ? stretches([{ start: 0, end: value.length }]).map((range) => token('enumMember', range)) : [];
}

/** The places of a file where `{{paths}}` are evaluated; elsewhere they are plain text. */
function templatesOf(kind: Kind, root: ASTNode | undefined): (path: Path) => boolean {
  if (kind === 'prompt') return ([first, ...rest]) => first === 'template' && rest.length === 0;
  if (kind === 'agent' || kind === 'persona') {
    const isOpen = mayBePlain(Object.fromEntries(['agent_type', 'mode'].map((field) => [field, textIn(root, field)])));
    return (path) => isPlanTemplate(path) || (isOpen && path.length === 1 && (path[0] === 'system_text' || path[0] === 'user_text'));
  }
  return kind === 'orchestration' ? isOrchestrationTemplate : () => false;
}

function textIn(root: ASTNode | undefined, field: string): string | null {
  const node = root?.type === 'object' ? root.properties.find(({ keyNode }) => keyNode.value === field)?.valueNode : undefined;
  return node?.type === 'string' ? node.value : null;
}

function isOrchestrationTemplate(path: Path): boolean {
  const [first, second, third, fourth] = path;
  if (first !== 'teams') return false;
  if (third === 'routing') return fourth === 'rules' && path[5] === 'context_updates';
  const inTask = path.slice(4);
  return (
    second !== undefined && third === 'tasks' && (inTask[0] === 'input' || (inTask[0] === 'config' && isPlanTemplate(inTask.slice(1))))
  );
}

function isPlanTemplate([plan, part, , field]: Path): boolean {
  return plan === 'execution_plan' && (part === 'output' || (part === 'steps' && (field === 'input' || field === 'llm')));
}

/** Whether `${VAR}` is replaced at a path. */
function isFilledIn(kind: Kind, path: Path): boolean {
  switch (kind) {
    case 'agent':
    case 'persona':
    case 'llm':
    case 'prompt':
      return isExpanded(path);
    case 'system':
      return isExpanded(path[0] === 'agents' || path[0] === 'llms' ? path.slice(2) : path.slice(1));
    case 'orchestration':
      return path[0] === 'teams' && path[2] === 'tasks' && path[4] === 'config' && isExpanded(path.slice(5));
    case 'mcp':
    case 'rootMcp':
    case 'vscodeMcp':
      return true;
    default:
      return false;
  }
}

/** mcp.json uses the placeholders of VS Code: `${env:X}`, `${input:x}`, `${workspaceFolder}`. */
function mcpPlaceholders(value: string): readonly TextRange[] {
  return [...value.matchAll(/\$\{[A-Za-z][^${}]*\}/g)].map(({ 0: whole, index }) => ({ start: index, end: index + whole.length }));
}

/** Whether the schema of the kind lists the value. Inside output_schema and input_schema, only types count. */
function isAllowedValue(kind: Kind, path: Path, value: string): boolean {
  if (typeof path.at(-1) !== 'string' || value.length > 40 || !/^[A-Za-z_]+$/.test(value)) return false;
  if (path.includes('output_schema') || path.includes('input_schema')) return path.at(-1) === 'type';
  return schemasAt(kind, path).some(({ schema }) => valuesOf(schema)?.includes(value));
}
