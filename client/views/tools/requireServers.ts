import * as vscode from 'vscode';
import type { McpInput } from '../../../core/generated/types.js';
import { isObject, type JsonObject } from '../../../core/json.js';
import type { Project } from '../../../core/project/types.js';
import { McpInputs } from '../../ports/mcpInputs.js';
import { inputsOf, ServerConsent, serverLine } from '../../ports/serverConsent.js';
import type { ProjectFolder } from '../../projects.js';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';
import { requireTrust } from '../../trust.js';

/**
 * Before MCP servers are started: asks about each that has not been started in this project with its current definition, and for the values
 * it needs, so that no run waits for either. @throws Refusal in an untrusted workspace, or when one may not start; SecretMissingError
 */
export async function requireServers(services: Services, folder: ProjectFolder, project: Project, servers: JsonObject): Promise<void> {
  const serverEntries = Object.entries(servers).filter((entry): entry is [string, JsonObject] => isObject(entry[1]));
  if (serverEntries.length === 0) return;
  requireTrust();
  const consent = new ServerConsent(services.extension.globalState, folder.root, project.ports.sha256);
  for (const [id, definition] of serverEntries) {
    if (consent.has(id, definition)) continue;
    if (!(await requestTrust(folder, id, definition))) throw refused(id);
    await consent.add(id, definition);
  }
  const inputs = new McpInputs(services, folder);
  const defined = await definedInputs(project);
  for (const [id, definition] of serverEntries) {
    for (const name of inputsOf(definition)) {
      const input = defined.find((candidate) => candidate.id === name);
      if (input !== undefined) await inputs.resolve(input, id);
    }
  }
}

async function requestTrust(folder: ProjectFolder, id: string, definition: JsonObject): Promise<boolean> {
  const isProgram = typeof definition.command === 'string';
  const message = isProgram
    ? vscode.l10n.t('Start the MCP server {0} of {1}?', id, folder.name)
    : vscode.l10n.t('Connect to the MCP server {0} of {1}?', id, folder.name);
  const hint = isProgram
    ? vscode.l10n.t('It is a program that runs on this computer with your rights. You are asked once, and again when this line changes.')
    : vscode.l10n.t('It receives the inputs of tool calls. You are asked once, and again when this address changes.');
  const start = isProgram ? vscode.l10n.t('Start') : vscode.l10n.t('Connect');
  return (
    (await vscode.window.showWarningMessage(message, { modal: true, detail: `${serverLine(definition)}\n\n${hint}` }, start)) === start
  );
}

function refused(id: string): Refusal {
  return new Refusal(vscode.l10n.t('The MCP server {0} was not allowed to start.', id));
}

async function definedInputs(project: Project): Promise<readonly McpInput[]> {
  const inputs = (await project.index()).value('mcp', 'mcp')?.inputs;
  // Checked by the schema of mcp.json before a run; of a file with mistakes only what can be used is.
  return Array.isArray(inputs) ? (inputs.filter((input) => isObject(input) && typeof input.id === 'string') as unknown as McpInput[]) : [];
}
