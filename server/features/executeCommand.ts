import { ErrorCodes, type ExecuteCommandParams, ResponseError } from 'vscode-languageserver';
import { commands } from '../commands/index.js';
import type { Feature } from '../feature.js';

/** Further requests for any client: each command responds with data, and changes nothing. */
export const executeCommand: Feature<ExecuteCommandParams, unknown> = {
  method: 'workspace/executeCommand',
  needs: ['command'],
  capability: () => ({ executeCommandProvider: { commands: commands.map(({ id }) => id) } }),
  async handle({ command, arguments: args }, context) {
    const chosen = commands.find(({ id }) => id === command);
    if (chosen === undefined)
      throw new ResponseError(
        ErrorCodes.InvalidParams,
        `There is no command ${JSON.stringify(command)}. There are: ${commands.map(({ id }) => id).join(', ')}.`,
      );
    return chosen.run(Array.isArray(args) ? args[0] : undefined, context);
  },
};
