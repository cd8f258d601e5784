import type { CompletionItem, MarkupContent } from 'vscode-languageserver';
import { usdText } from '../../core/amounts.js';
import { findAgent } from '../../core/config/agentReference.js';
import { escapeMarkdown } from '../../core/escape.js';
import { rules } from '../../core/generated/rules.js';
import { isObject, type Json, type JsonObject } from '../../core/json.js';
import { endWords } from '../../core/llm/modelEnd.js';
import { tokensText } from '../../core/llm/tokenText.js';
import { findOperator } from '../../core/routing/operators/findOperator.js';
import { capitalized, shorten } from '../../core/words.js';
import type { FeatureContext } from '../feature.js';
import { toMarkup } from '../hover/hoverText.js';
import { toolWords } from '../hover/toolWords.js';
import { toolsFor } from '../names/toolAt.js';
import { fieldDocs } from '../schemaDocs.js';
import type { Project } from '../workspace.js';
import type { DocsKey } from './suggestion.js';

/** The item with the documentation that its `data` names; unchanged where there is none. */
export function resolveCompletion(item: CompletionItem, { workspace }: FeatureContext): CompletionItem {
  const { uri, docs } = readData(item.data);
  const project = uri === undefined ? undefined : workspace.projectOf(uri);
  if (project === undefined || docs === undefined) return item;
  const documentation = documentationOf(docs, project);
  return documentation === undefined ? item : { ...item, documentation };
}

/** The data comes back from the client, so its shape is checked. */
function readData(data: unknown): { readonly uri: string | undefined; readonly docs: DocsKey | undefined } {
  if (!isObject(data) || typeof data.uri !== 'string' || !isObject(data.docs)) return { uri: undefined, docs: undefined };
  const { type, id, name, ids, path, code } = data.docs;
  const isWhole =
    (type === 'field' && Array.isArray(path)) ||
    (type === 'reference' && typeof id === 'string') ||
    (type === 'model' && typeof name === 'string') ||
    (type === 'tool' && typeof name === 'string' && (ids === null || Array.isArray(ids))) ||
    (type === 'operator' && typeof name === 'string') ||
    (type === 'rule' && typeof code === 'string');
  // Its members are only used as names to look up.
  return { uri: data.uri, docs: isWhole ? (data.docs as unknown as DocsKey) : undefined };
}

export function documentationOf(docs: DocsKey, project: Project): MarkupContent | undefined {
  const value = wordsOf(docs, project);
  return value === undefined || value === '' ? undefined : { kind: 'markdown', value };
}

function wordsOf(docs: DocsKey, project: Project): string | undefined {
  switch (docs.type) {
    case 'field':
      return fieldWords(docs);
    case 'reference':
      return referenceWords(docs, project);
    case 'model':
      return modelWords(docs, project);
    case 'tool':
      return toolDocs(docs, project);
    case 'rule':
      return ruleWords(docs.code);
    case 'operator':
      return operatorWords(docs.name);
  }
}

function fieldWords({ kind, path, provider }: DocsKey & { type: 'field' }): string | undefined {
  const docs = fieldDocs(kind, path, provider);
  if (docs === undefined) return undefined;
  const { description, types, values, examples } = docs;
  const parts = [description];
  if (values !== undefined && values.length > 1) parts.push(`One of ${values.map(code).join(', ')}.`);
  else if (types.length > 0) parts.push(`Type: ${types.join(' or ')}.`);
  const [example] = examples;
  if (example !== undefined && !description.includes('Example')) parts.push(`Example: ${fenced(example)}`);
  return parts.filter((part) => part !== '').join('\n\n');
}

function fenced(value: Json): string {
  const flat = JSON.stringify(value);
  return flat.length <= 60 ? code(value) : `\n\n\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

function code(value: Json): string {
  const written = JSON.stringify(value);
  return written.includes('`') ? written : `\`${written}\``;
}

/** The description and the most telling fields of the file or server that a name refers to. */
function referenceWords({ kind, id }: DocsKey & { type: 'reference' }, project: Project): string | undefined {
  const { index } = project;
  switch (kind) {
    case 'agent': {
      const target = findAgent(index, id);
      const value = target && project.ruleContext.agent(target.name, target.version)?.value;
      return isObject(value)
        ? summary(value, ['agent_type', 'mode', 'persona_key', 'llm_config_id', 'model_name', 'input_keys'])
        : undefined;
    }
    case 'llm':
      return summary(index.value('llm', id), ['provider', 'model_name', 'base_url', 'temperature', 'max_output_tokens']);
    case 'persona':
      return summary(index.value('persona', id), ['agent_type', 'mode', 'llm_config_id', 'model_name', 'system_text']);
    case 'prompt':
      return summary(index.value('prompt', id), ['variables', 'template']);
    case 'mcp': {
      const servers = index.value('mcp', 'mcp')?.servers;
      const server = isObject(servers) && Object.hasOwn(servers, id) ? servers[id] : undefined;
      return isObject(server) ? summary(server, ['type', 'command', 'url']) : undefined;
    }
    default:
      return undefined;
  }
}

function summary(value: JsonObject | undefined, fields: readonly string[]): string | undefined {
  if (value === undefined) return undefined;
  const facts = fields.flatMap((field) => {
    const written = Object.hasOwn(value, field) ? value[field] : undefined;
    return written === undefined || written === null ? [] : [`- ${field}: ${code(shortened(written))}`];
  });
  const description = typeof value.description === 'string' ? [escapeMarkdown(value.description)] : [];
  return [...description, facts.join('\n')].filter((part) => part !== '').join('\n\n');
}

function shortened(value: Json): Json {
  return typeof value === 'string' ? shorten(value, 200) : value;
}

function modelWords({ name, provider }: DocsKey & { type: 'model' }, { ruleContext }: Project): string | undefined {
  const facts = ruleContext.models.find(name, provider);
  if (facts === undefined) return undefined;
  const { context_window, max_output_tokens, price, unsupported, deprecated, successor, source } = facts;
  const end = endWords(facts, ruleContext.asOf);
  const lines: string[] = [];
  if (end !== undefined) lines.push(`**${capitalized(end)}**`);
  if (deprecated !== undefined) lines.push(`**${deprecated}**`);
  if (successor !== undefined) lines.push(`- successor: ${successor}`);
  if (context_window !== undefined) lines.push(`- context window: ${tokensText(context_window)}`);
  if (max_output_tokens !== undefined) lines.push(`- longest answer: ${tokensText(max_output_tokens)}`);
  if (price !== undefined) {
    const cached = price.cached_input === undefined ? '' : `, cached ${usdText(price.cached_input)}`;
    lines.push(`- price per million tokens: in ${usdText(price.input)}, out ${usdText(price.output)}${cached}`);
  }
  if (unsupported.length > 0) lines.push(`- refuses: ${unsupported.join(', ')}`);
  lines.push(`- source: ${source}`);
  return lines.join('\n');
}

function toolDocs({ name, ids }: DocsKey & { type: 'tool' }, project: Project): string | undefined {
  const match = toolsFor(project, ids ?? undefined).find(({ names }) => names[0] === name);
  return match && toMarkup(toolWords(match.tool), 'markdown').value;
}

function ruleWords(code: string): string | undefined {
  const rule = rules.find((candidate) => candidate.code === code);
  return rule && `${rule.severity} by default. \`npx agent-stack explain ${code}\` explains what it finds and how to fix it.`;
}

function operatorWords(name: string): string | undefined {
  const operator = findOperator(name);
  if (operator === undefined) return undefined;
  const { takes, suits = takes, expects } = operator;
  const value = expects === undefined ? 'Needs no value.' : `Compares with: ${expects.join(', ')}.`;
  return `For fields of type ${suits.join(', ')}.\n\n${value}`;
}
