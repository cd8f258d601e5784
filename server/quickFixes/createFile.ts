import { newFileText, withVersion } from '../../core/config/fileText.js';
import { pathOf } from '../../core/config/paths.js';
import { isObject, type Json, type JsonObject, pointerOf } from '../../core/json.js';
import type { Kind } from '../../core/kinds.js';
import { isLegalName } from '../../core/kinds.js';
import { agentTemplate } from '../../core/scaffold/newAgentFiles.js';
import { personaTemplate, promptText, promptTextPath } from '../../core/scaffold/newFile.js';
import { llmTemplate } from '../../core/scaffold/newLlmFile.js';
import { editJson, type FileChange } from '../edits/fileChange.js';
import type { Project } from '../workspace.js';
import type { Fix } from './quickFix.js';

/** The kinds of file that a reference may lead to. */
export type CreatableKind = Extract<Kind, 'agent' | 'llm' | 'persona' | 'prompt'>;

/** "Create config/llms/x.json": a small file without findings. Undefined for an illegal id, or when its file exists; letter case is ignored. */
export function createFileFix(project: Project, kind: CreatableKind, id: string): Fix | undefined {
  const [name = '', version = 'v1', ...rest] = id.split('@');
  const isVersioned = kind === 'agent' || kind === 'prompt';
  if (!isLegalName(name) || !isLegalName(version) || rest.length > 0 || (!isVersioned && id.includes('@'))) return undefined;
  const newId = isVersioned ? `${name}@${version}` : name;
  const { settings } = project.index;
  const path = kind === 'prompt' ? promptTextPath(newId, settings) : pathOf(kind, newId, settings);
  if (project.documentAt(path) !== undefined || project.index.twins(kind, newId, path).length > 0) return undefined;
  return { title: `Create ${path}`, changes: () => [{ type: 'create', path, text: fileText(project, kind, name, version) }] };
}

/** The text of a new file of a kind. An agent whose other versions exist begins as a copy of the newest. */
function fileText(project: Project, kind: CreatableKind, name: string, version: string): string {
  if (kind === 'agent') return newAgentText(project, name, version);
  if (kind === 'prompt') return promptText(name);
  return newFileText(kind, contents[kind](name));
}

const contents: Readonly<Record<Exclude<CreatableKind, 'agent' | 'prompt'>, (name: string) => JsonObject>> = {
  llm: (name) => llmTemplate(name, { provider: 'offline' }),
  persona: personaTemplate,
};

function newAgentText(project: Project, name: string, version: string): string {
  const newest = project.index.versions(name).at(-1);
  const path = newest === undefined ? undefined : project.index.ids('agent').get(`${name}@${newest}`);
  if (path !== undefined) {
    const copy = copyWithVersion(project, path, version);
    if (copy !== undefined) return copy;
  }
  const { config } = agentTemplate(name);
  const model: JsonObject = project.index.ids('llm').size > 0 ? {} : { provider: 'offline', model_name: 'offline' };
  return newFileText('agent', { ...config, version, ...model });
}

/** The text of a file with only its version changed; undefined if it is not a JSON object. */
export function copyWithVersion(project: Project, path: string, version: string): string | undefined {
  const document = project.documentAt(path);
  return document && withVersion(document.path ?? '', document.fileText, version);
}

/** Defines an MCP server in mcp.json, which is created if it does not exist. */
export function defineServerFix(project: Project, id: string): Fix | undefined {
  if (!isLegalName(id)) return undefined;
  const path = pathOf('mcp', 'mcp', project.index.settings);
  const server: Json = { type: 'stdio', command: id };
  const document = project.documentAt(path);
  if (document === undefined)
    return {
      title: `Create ${path} with the server ${JSON.stringify(id)}`,
      changes: (): readonly FileChange[] => [
        { type: 'create', path, text: newFileText('mcp', { servers: Object.fromEntries([[id, server]]) }) },
      ],
    };
  if (!isObject(document.config?.value)) return undefined;
  return {
    title: `Define the server ${JSON.stringify(id)} in ${path}`,
    changes: () => editJson(project, path, (edit) => edit.set(pointerOf('servers', id), server)),
  };
}
