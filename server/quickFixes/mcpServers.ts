import { lockedTools, lockId } from '../../core/config/knownTools.js';
import { pointerOf } from '../../core/json.js';
import { parentPointer } from '../../core/jsonText/locate.js';
import { editJson } from '../edits/fileChange.js';
import { defineServerFix } from './createFile.js';
import type { Fix, QuickFix } from './quickFix.js';
import { editFix, lastOf, replaceFixes, shownValue, textIn, textsIn } from './support.js';

/** A command of clients that list it in `experimental.commands.commands`. Its one argument: `{uri, server, tool}`, with the `uri` of the lock. */
const showToolDifference = 'agentStack.showToolDifference';

/** Reviews and accepts a changed tool: what its server lists now replaces the pin. */
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
        ? { title: `Remove ${JSON.stringify(tool)} from ${path}`, changes: () => editJson(project, path, (edit) => edit.remove(pointer)) }
        : {
            title: `Accept ${JSON.stringify(tool)} as ${JSON.stringify(server)} lists it now`,
            changes: () => editJson(project, path, (edit) => edit.replace(pointer, { ...changed })),
          };
    return [show, accept];
  },
};

/** Splits a command line into the program and its arguments. */
export const mcpServerInvalid: QuickFix = {
  code: 'mcp-server-invalid',
  fixes(finding, context) {
    const { pointer, data } = finding;
    const command = textIn(finding, 'command');
    const args = data?.args;
    if (command === undefined || !Array.isArray(args)) return [];
    const list = `${parentPointer(pointer) ?? ''}${pointerOf('args')}`;
    return [editFix(context, 'Split it into command and args', (edit) => edit.replace(pointer, command).set(list, args), true)];
  },
};

/** Writes the type of a server with an address: first the type that the address suggests. */
export const mcpTypeMissing: QuickFix = {
  code: 'mcp-type-missing',
  fixes(finding, context) {
    const likelyType = textIn(finding, 'type');
    if (likelyType === undefined) return [];
    const place = `${parentPointer(finding.pointer) ?? ''}${pointerOf('type')}`;
    return [likelyType, likelyType === 'sse' ? 'http' : 'sse'].map((type) =>
      editFix(context, `Write "type": "${type}"`, (edit) => edit.set(place, type, { first: true }), type === likelyType),
    );
  },
};

/** Removes a server that no agent uses. */
export const unusedMcpServer: QuickFix = {
  code: 'unused-mcp-server',
  fixes({ pointer }, context) {
    return [editFix(context, `Remove the server ${shownValue(lastOf(pointer))}`, (edit) => edit.remove(pointer))];
  },
};

/** Replaces a server that mcp.json does not define, defines it there, or removes it. */
export const unknownMcpServer: QuickFix = {
  code: 'unknown-mcp-server',
  fixes(finding, context) {
    const id = textIn(finding, 'id');
    if (id === undefined) return [];
    const define = defineServerFix(context.project, id);
    return [
      ...replaceFixes(context, finding.pointer, textsIn(finding, 'nearest')),
      ...(define === undefined ? [] : [define]),
      editFix(context, `Remove ${JSON.stringify(id)}`, (edit) => edit.remove(finding.pointer)),
    ];
  },
};
