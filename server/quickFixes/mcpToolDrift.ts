import { lockedTools, lockId } from '../../core/config/knownTools.js';
import { pointerOf } from '../../core/json.js';
import { editJson } from '../edits/fileChange.js';
import type { Fix, QuickFix } from './quickFix.js';
import { textIn } from './support.js';

/** A command of the client, which has it or not (`experimental.commands.commands`). Its one argument: `{uri, server, tool}`, `uri` of the lock. */
const showToolDifference = 'agentStack.showToolDifference';

/** A changed tool is looked at, and accepted: what its server lists now takes the place of what is pinned. */
export const mcpToolDrift: QuickFix = {
  code: 'mcp-tool-drift',
  fixes(finding, { project }) {
    const server = textIn(finding, 'server');
    const tool = textIn(finding, 'tool');
    const path = project.index.ids('lock').get(lockId);
    if (server === undefined || tool === undefined || path === undefined) return [];
    const locked = lockedTools(project.index, server)?.find(({ name }) => name === tool)?.locked;
    if (locked?.changed === undefined) return [];
    const { changed } = locked;
    const pointer = pointerOf('servers', server, 'tools', tool);
    const show: Fix = {
      title: `Show what has changed in ${JSON.stringify(tool)}`,
      command: { command: showToolDifference, arguments: [{ uri: project.uriOf(path), server, tool }] },
      changes: () => [],
    };
    const accept: Fix =
      changed === null
        ? { title: `Take ${JSON.stringify(tool)} out of ${path}`, changes: () => editJson(project, path, (edit) => edit.remove(pointer)) }
        : {
            title: `Accept ${JSON.stringify(tool)} as ${JSON.stringify(server)} lists it now`,
            changes: () => editJson(project, path, (edit) => edit.replace(pointer, { ...changed })),
          };
    return [show, accept];
  },
};
