import * as vscode from 'vscode';
import { escapeMarkdown } from '../../../core/escape.js';
import { isObject } from '../../../core/json.js';
import { shorten } from '../../../core/words.js';
import { createEditorFiles } from '../../ports/editorFiles.js';
import { resolveAgentFile } from '../status/resolveAgentFile.js';
import type { AgentsNode } from './nodes.js';

/** The tooltip of a node: what it is for, and what it runs with. Undefined where the label says it all. */
export async function describe(node: AgentsNode): Promise<vscode.MarkdownString | undefined> {
  if (node.kind === 'project') return plain(node.folder.root);
  if (!('path' in node)) return undefined;
  const environment = vscode.workspace.getConfiguration('agentStack', node.folder.uri).get<string>('environment', '');
  const resolved = await resolveAgentFile(createEditorFiles(node.folder), node.path, environment);
  if (resolved === undefined) return plain(node.path);
  const { file, agent } = resolved;
  const { t } = vscode.l10n;
  const value = isObject(file.value) ? file.value : {};
  const text = new vscode.MarkdownString();
  text.appendMarkdown(`**${escapeMarkdown(node.kind === 'mcpServer' ? node.name : file.identity.id)}**`);
  const description = agent?.config.description ?? value.description ?? value.purpose_text;
  if (typeof description === 'string' && node.kind !== 'mcpServer') text.appendMarkdown(`\n\n${escapeMarkdown(shortened(description))}`);
  const facts: [label: string, value: string][] = [];
  if (agent !== undefined) {
    const { agent_type, mode, persona_key, model_name } = agent.config;
    facts.push([t('Type'), mode === undefined ? agent_type : `${agent_type} · ${mode}`]);
    if (model_name !== undefined || agent.llm.llm_id !== undefined)
      facts.push([t('Model'), [...new Set([agent.llm.provider, model_name])].filter((part) => part !== undefined).join(' · ')]);
    if (agent.llm.llm_id !== undefined) facts.push([t('LLM profile'), agent.llm.llm_id]);
    if (persona_key !== undefined) facts.push([t('Persona'), persona_key]);
  }
  if (file.foreign) facts.push([t('Left alone'), t('this file is something else')]);
  facts.push([t('File'), node.path]);
  for (const [at, [label, said]] of facts.entries())
    text.appendMarkdown(`${at === 0 ? '\n\n' : '  \n'}${escapeMarkdown(`${label}: ${said}`)}`);
  return text;
}

function plain(words: string): vscode.MarkdownString {
  return new vscode.MarkdownString(escapeMarkdown(words));
}

/** The first paragraph, as far as a tooltip should go. */
function shortened(description: string): string {
  const [first = ''] = description.trim().split(/\n\s*\n/, 1);
  return shorten(first, 300);
}
