import * as vscode from 'vscode';
import { withFields } from '../../../../core/config/fileText.js';
import { loadProjectIndex } from '../../../../core/config/loadProjectIndex.js';
import { addMcpServer } from '../../../../core/config/mcpServers.js';
import { pathLike, pathOf } from '../../../../core/config/paths.js';
import { isObject } from '../../../../core/json.js';
import { askName } from '../../../askName.js';
import { createEditorFiles } from '../../../ports/editorFiles.js';
import { replaceText } from '../../../ports/replaceText.js';
import { Refusal } from '../../../refusal.js';
import type { OrchestrationPayloadNode, PayloadNode } from '../nodes.js';
import { type Entry, nameOf, spokenName } from './entry.js';

/** Entries that can be duplicated. */
type Copied = Exclude<Entry, { kind: 'system' | 'orphan' | 'agentVersion' | 'promptVersion' }>;

export function canBeCopied(entry: Entry): entry is Copied {
  return !['system', 'orphan', 'agentVersion', 'promptVersion'].includes(entry.kind);
}

interface Copy {
  readonly from: string;
  readonly to: string;
  /** Fields that say what the file is. */
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * Copies what a project has under another name, and opens the copy: of an agent or prompt the newest version, of an agent or orchestration its payloads
 * too. Unsaved text is copied too.
 *
 * @param newName passed by a program, which answers the question
 */
export async function duplicateEntry(entry: Copied, newName?: string): Promise<vscode.Uri | undefined> {
  const { t } = vscode.l10n;
  const { folder } = entry;
  const files = createEditorFiles(folder);
  const index = await loadProjectIndex(files);
  const names = namesBeside(entry, index);
  const taken = (name: string) =>
    names.some((other) => other.toLowerCase() === name.toLowerCase()) ? t('{0} already exists.', name) : undefined;
  const title = t('Duplicate {0}', spokenName(entry));
  const name = await askName({ title, prompt: t('The name of the copy'), value: freeName(nameOf(entry), names), taken }, newName);
  if (name === undefined) return undefined;
  if (entry.kind === 'mcpServer') return copyServer(entry, name);
  const copies = copiesOf(entry, name, index);
  for (const { from, to, fields } of copies.toReversed()) {
    const text = await files.readText(from);
    const copy = Object.keys(fields).length === 0 ? text : withFields(from, text, fields);
    if (copy === undefined) {
      throw new Refusal(t('{0} cannot be copied: it is not valid JSON.', from), [
        { title: t('Open File'), run: () => vscode.window.showTextDocument(folder.uriOf(from)) },
      ]);
    }
    await files.writeText(to, copy, { exclusive: true });
  }
  const uri = folder.uriOf(copies[0].to);
  await vscode.window.showTextDocument(uri);
  return uri;
}

type Index = Awaited<ReturnType<typeof loadProjectIndex>>;
type CopiedFile = Exclude<Copied, { kind: 'mcpServer' }>;

function copiesOf(entry: CopiedFile, name: string, index: Index): readonly [Copy, ...Copy[]] {
  const { settings } = index;
  const from = entry.path;
  switch (entry.kind) {
    case 'agent': {
      const copiedFile = { from, to: pathOf('agent', `${name}@${entry.version}`, settings), fields: { agent_name: name } };
      return [copiedFile, ...payloadCopies(index, entry.agent_name, name)];
    }
    case 'payload':
    case 'orchestrationPayload':
      return [{ from, to: pathOf('payload', `${ownerOf(entry)}/${name}`, settings), fields: {} }];
    case 'prompt':
      return [{ from, to: pathLike(from, 'prompt', `${name}@${entry.version}`, settings), fields: { name } }];
    case 'llm':
      return [{ from, to: pathOf('llm', name, settings), fields: { llm_id: name } }];
    case 'orchestration': {
      const copiedFile = { from, to: pathOf('orchestration', name, settings), fields: { name } };
      // Payloads of a name that is an agent's too are the agent's.
      return entry.payloadCount > 0 ? [copiedFile, ...payloadCopies(index, entry.name, name)] : [copiedFile];
    }
    case 'persona':
      return [{ from, to: pathOf('persona', name, settings), fields: {} }];
    default:
      return [{ from, to: pathOf('system', name, settings), fields: {} }];
  }
}

function payloadCopies(index: Index, owner: string, name: string): readonly Copy[] {
  return casesOf(index, owner).map(([id, from]) => ({ from, to: pathOf('payload', `${name}/${id}`, index.settings), fields: {} }));
}

/** The payloads of an agent or orchestration. */
function casesOf(index: Index, owner: string): readonly (readonly [string, string])[] {
  const prefix = `${owner}/`;
  return [...index.ids('payload')].filter(([id]) => id.startsWith(prefix)).map(([id, path]) => [id.slice(prefix.length), path]);
}

function ownerOf(payload: PayloadNode | OrchestrationPayloadNode): string {
  return payload.kind === 'payload' ? payload.agent_name : payload.orchestration;
}

/** The kinds whose names have payloads, even if there is nothing else with that name. */
function payloadOwners(index: Index): readonly string[] {
  return [...index.ids('payload').keys()].map((id) => id.split('/', 1)[0] ?? id);
}

function namesBeside(entry: Copied, index: Index): readonly string[] {
  const bare = (id: string) => id.split('@', 1)[0] ?? id;
  switch (entry.kind) {
    case 'agent':
      return [...index.ids('agent').keys()].map(bare).concat(payloadOwners(index));
    case 'orchestration':
      return [...index.ids('orchestration').keys(), ...payloadOwners(index)];
    case 'prompt':
      return [...index.ids('prompt').keys()].map(bare);
    case 'payload':
    case 'orchestrationPayload':
      return casesOf(index, ownerOf(entry)).map(([id]) => id);
    case 'mcpServer': {
      const servers = index.value('mcp', 'mcp')?.servers;
      return isObject(servers) ? Object.keys(servers) : [];
    }
    case 'environment':
      return [...index.ids('system').keys()];
    default:
      return [...index.ids(entry.kind).keys()];
  }
}

/** `parser_2` after `parser`: the first free number. */
function freeName(name: string, taken: readonly string[]): string {
  for (let number = 2; ; number++) {
    const free = `${name.slice(0, 60)}_${number}`;
    if (!taken.includes(free)) return free;
  }
}

async function copyServer(entry: Extract<Entry, { kind: 'mcpServer' }>, name: string): Promise<vscode.Uri> {
  const { t } = vscode.l10n;
  const text = (await vscode.workspace.openTextDocument(entry.uri)).getText();
  const copy = addMcpServer(text, name, entry.name);
  if (copy === undefined) throw new Refusal(t('Expected a JSON object with `servers` in {0}. Repair it first.', entry.path));
  await replaceText(entry.uri, copy);
  await vscode.window.showTextDocument(entry.uri);
  return entry.uri;
}
