import { isObject, type Json, type JsonObject } from '../../core/json.js';
import { type FileView, viewOf } from '../names/fileView.js';
import { preview } from '../preview.js';
import type { Project } from '../workspace.js';
import { type Block, line, list, type Part } from './hoverText.js';
import { codes, modelWords } from './modelWords.js';

/** The file that a reference leads to: path, description, model, and the first lines of its text. */
export function fileWords(path: string, project: Project): readonly Block[] {
  const document = project.documentAt(path);
  const identity = project.identityOf(path);
  if (document === undefined || identity === undefined) return [line('There is no ', { code: path }, '.')];
  const view = viewOf(document, project);
  const head = line({ code: identity.id }, ` (${identity.kind}) `, { code: path });
  if (view === undefined) return [head, line('The file cannot be read as an object.')];
  const { value } = view;
  const about = typeof value.description === 'string' && value.description !== '' ? [line(preview(value.description, 300))] : [];
  return [head, ...about, ...wordsOf(view)];
}

function wordsOf(view: FileView): readonly Block[] {
  const { value, file, project } = view;
  switch (file.identity.kind) {
    case 'agent': {
      const versions = project.index.versions(file.identity.name);
      const others = versions.length < 2 ? [] : [line('Versions: ', ...codes(versions), '.')];
      return [...agentWords(view), ...others, ...quoted(value.system_text)];
    }
    case 'persona':
      return [...givenWords(value, ['model_name', 'llm_config_id', 'temperature']), ...quoted(value.system_text)];
    case 'llm': {
      const { model_name: model, provider } = value;
      const settings = givenWords(value, ['provider', 'temperature', 'max_output_tokens']);
      const facts = typeof model === 'string' && !model.includes('${') ? modelWords(view, model, plainString(provider)) : [];
      return [...settings, ...facts];
    }
    case 'prompt': {
      const variables = Array.isArray(value.variables) ? value.variables.filter((name: Json) => typeof name === 'string') : [];
      const examples = Array.isArray(value.few_shot_examples) ? value.few_shot_examples.length : 0;
      const facts: Part[] = variables.length > 0 ? ['Variables: ', ...codes(variables), '. '] : [];
      if (examples > 0) facts.push(`${examples} ${examples === 1 ? 'example' : 'examples'}.`);
      return [...(facts.length > 0 ? [line(...facts)] : []), ...quoted(value.template)];
    }
    default:
      return [];
  }
}

/** Type, mode and the model of the effective config. */
function agentWords(view: FileView): readonly Block[] {
  if (view.document.config?.value === undefined) return givenWords(view.value, ['agent_type', 'mode', 'model_name']);
  const { config } = view.project.ruleContext.effective(view.file);
  const parts: Part[] = [config.agent_type, ...(config.mode === undefined ? [] : [', ', config.mode])];
  const { model_name: written } = view.value;
  // A model name may come from a variable; it is shown only when a file contains it literally.
  const isPlain = config.model_name !== undefined && (written === config.model_name || isWritten(view.project, config.model_name));
  if (isPlain) parts.push(', model ', { code: config.model_name ?? '' });
  return [line(...parts, '.')];
}

function isWritten({ index }: Project, model: string): boolean {
  const values = [...index.ids('llm').keys()].map((id) => index.value('llm', id));
  const personas = [...index.ids('persona').keys()].map((id) => index.value('persona', id));
  const systems = [...index.ids('system').keys()].map((id) => index.value('system', id)?.agent_defaults);
  return [...values, ...personas, ...systems].some((value) => isObject(value) && value.model_name === model);
}

function givenWords(value: JsonObject, fields: readonly string[]): readonly Block[] {
  const items = fields.flatMap((field): Part[][] => {
    const written = value[field];
    return written === undefined || typeof written === 'object'
      ? []
      : [[{ code: field }, ' ', { code: preview(JSON.stringify(written), 60) }]];
  });
  return items.length === 0 ? [] : [list(items)];
}

const mostLines = 6;
const mostUnits = 400;

/** The first lines of a text. */
export function quoted(text: Json | undefined): readonly Block[] {
  if (typeof text !== 'string' || text.trim() === '') return [];
  const lines = text.slice(0, mostUnits).split(/\r\n|\r|\n/);
  const visible = lines.slice(0, mostLines).map((written) => preview(written, 120));
  const isWhole = text.length <= mostUnits && lines.length <= mostLines;
  return [{ type: 'quote', text: [...visible, ...(isWhole ? [] : ['…'])].join('\n') }];
}

function plainString(value: Json | undefined): string | undefined {
  return typeof value === 'string' && !value.includes('${') ? value : undefined;
}

/** A server of mcp.json, without its arguments and headers, which may contain secrets. */
export function serverWords(name: string, project: Project): readonly Block[] {
  const path = project.index.ids('mcp').get('mcp');
  const servers = project.index.value('mcp', 'mcp')?.servers;
  const server = isObject(servers) && Object.hasOwn(servers, name) ? servers[name] : undefined;
  if (path === undefined || !isObject(server)) return [line('There is no MCP server ', { code: name }, '.')];
  return reachWords(name, server, path);
}

/** How a server is reached, as any tool writes it. */
export function reachWords(name: string, server: JsonObject, path: string): readonly Block[] {
  const address = [server.url, server.serverUrl, server.httpUrl].map(plainString).find((text) => text !== undefined);
  const command = Array.isArray(server.command) ? server.command[0] : server.command;
  const what: Part[] = typeof command === 'string' ? [', runs ', { code: preview(command, 80) }] : [];
  if (address !== undefined) what.push(', at ', { code: originOf(address) });
  const head = line({ strong: name }, ' (MCP server) ', { code: path });
  if (what.length === 0) return [head, line('Neither a command nor an address is known.')];
  return [head, line(plainString(server.type) ?? (address === undefined ? 'stdio' : 'http'), ...what, '.')];
}

function originOf(address: string): string {
  try {
    return new URL(address).origin;
  } catch {
    // Not an address, which the schema reports.
    return preview(address.replace(/[^/@]*@/, ''), 60);
  }
}
