import { isMcpKind, mcpFiles } from '../../core/config/mcpFiles.js';
import type { TextRange } from '../../core/finding.js';
import { isObject, type Json, listOf, segmentsOf, valueAt } from '../../core/json.js';
import type { Fix, FixContext, QuickFix } from './quickFix.js';
import { addInput, editFix, lastOf } from './support.js';

/**
 * Replaces a secret in a config with the name it is stored under, or removes it from a longer text. No title or inserted text contains any of it.
 * Storing it, and revoking whatever was shared, is left to the user.
 */
export const secretInPlainText: QuickFix = {
  code: 'secret-in-plain-text',
  fixes({ pointer, data = {} }, context) {
    const { start, end } = data;
    const text = valueAt(context.file.value, pointer);
    if (typeof text !== 'string' || typeof start !== 'number' || typeof end !== 'number') return [];
    const { kind, name: owner } = context.file.identity;
    const isKey = kind === 'llm' && pointer === '/api_key';
    const isOfServer = isMcpKind(kind) && /^\/(?:servers|mcpServers)\/[^/]+\/(?:env|headers)\//.test(pointer);
    const isWhole = start === 0 && end === text.length;
    if (isOfServer && (kind !== 'mcp' || !isWhole)) return [serverFix(context, pointer, { start, end })];
    const name = secretName(isKey ? `${owner}_${lastOf(pointer)}` : lastOf(pointer));
    if (isKey || isOfServer)
      return [
        editFix(
          context,
          `Write secret://${name} and store the secret under that name`,
          (edit) => edit.replace(pointer, `secret://${name}`),
          true,
        ),
      ];
    const remove = editFix(context, 'Remove the secret', (edit) => edit.replaceWithin(pointer, 'value', { start, end }, ''));
    if (kind !== 'llm' || start > 0 || end < text.length || !hasNoKey(context.file.value)) return [remove];
    const keyName = secretName(`${owner}_api_key`);
    // Only `api_key` is looked up when needed; everything else reaches the provider as written.
    return [
      editFix(context, `Write "api_key": "secret://${keyName}" instead, and store the secret under that name`, (edit) =>
        edit.set('/api_key', `secret://${keyName}`, { after: ['model_name', 'provider', 'llm_id'] }).remove(pointer),
      ),
      remove,
    ];
  },
};

/** A variable, or an input to prompt for: in these files a secret may also be part of a text, as in `Bearer ...`. */
function serverFix(context: FixContext, pointer: string, range: TextRange): Fix {
  const { value } = context.file;
  const [, server = '', , field = ''] = segmentsOf(pointer);
  const name = secretName(/^authorization$/i.test(field) ? `${server}_token` : field);
  const { kind } = context.file.identity;
  const isVariable = isMcpKind(kind) && mcpFiles[kind].variables === 'plain';
  const reference = isVariable ? `\${${name.toUpperCase()}}` : `\${input:${name}}`;
  const inputs = isObject(value) ? listOf(value.inputs) : [];
  const isKnown = inputs.some((input) => isObject(input) && input.id === name);
  const title = isVariable ? `Write ${reference} and set that variable` : `Write ${reference}, prompted for when the server starts`;
  return editFix(
    context,
    title,
    (edit) => {
      edit.replaceWithin(pointer, 'value', range, reference);
      if (!isVariable && !isKnown) addInput(edit, context, name);
    },
    true,
  );
}

function hasNoKey(value: Json | undefined): boolean {
  return isObject(value) && value.api_key === undefined && value.api_key_env === undefined;
}

/** The name of a secret: letters, digits and `_`, as in environment variables. */
function secretName(words: string): string {
  return (
    words
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '') || 'api_key'
  );
}
