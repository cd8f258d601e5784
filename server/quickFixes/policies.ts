import { lockId } from '../../core/config/knownTools.js';
import { isObject, listOf } from '../../core/json.js';
import type { JsonEdit } from '../../core/jsonText/jsonEdit.js';
import type { FlowEdit } from '../../core/rules/facts/flowChanges.js';
import { editJson } from '../edits/fileChange.js';
import type { Fix, QuickFix } from './quickFix.js';
import { mostProposals } from './support.js';

/** Ends a forbidden flow: asks for approval, or takes a tool from an agent. */
export const flowForbidden: QuickFix = {
  code: 'flow-forbidden',
  fixes(finding, { project, file }) {
    return ((finding.data?.edits ?? []) as readonly FlowEdit[]).map((edit): Fix => {
      const where = edit.file === file.path ? '' : ` in ${edit.file}`;
      const tools = edit.tools.length > 3 ? `${edit.tools.length} tools` : edit.tools.join(', ');
      const title = edit.type === 'approve' ? `Ask for approval of ${tools}` : `Take ${tools} from ${edit.agent}`;
      return { title: `${title}${where}`, changes: () => editJson(project, edit.file, (json) => apply(edit, json)) };
    });
  },
};

function apply(edit: FlowEdit, json: JsonEdit): void {
  switch (edit.type) {
    case 'approve':
      addAll(json, '/policy/only_after_approval', edit.tools, edit.tools);
      return;
    case 'remove':
      for (const pointer of edit.pointers) json.remove(pointer);
      return;
    case 'exclude':
      addAll(json, edit.pointer, edit.names, edit.all);
  }
}

function addAll(json: JsonEdit, list: string, added: readonly string[], all: readonly string[]): void {
  if (!json.has(list)) json.set(list, all);
  else for (const name of added) json.insertItem(list, name);
}

/** A command of clients that list it in `experimental.commands.commands`. Its one argument: `{uri, server, tool}`, with the `uri` of the lock. */
const labelTool = 'agentStack.labelTool';

/** Asks what a tool does. */
export const toolUnlabelled: QuickFix = {
  code: 'tool-unlabelled',
  fixes(finding, { project }) {
    const path = project.index.ids('lock').get(lockId);
    if (path === undefined) return [];
    const tools = listOf((finding.data?.tools ?? []) as never).filter(isObject);
    return tools.slice(0, mostProposals).map(
      ({ server = '', tool = '' }): Fix => ({
        title: `Label ${server}/${tool}...`,
        command: { command: labelTool, arguments: [{ uri: project.uriOf(path), server, tool }] },
        changes: () => [],
      }),
    );
  },
};
