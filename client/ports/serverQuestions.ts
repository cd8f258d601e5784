import * as vscode from 'vscode';
import type { Json } from '../../core/json.js';
import { type AnswerServer, type QuestionField, type ServerQuestion, typedValue } from '../../core/tools/mcp/serverQuestion.js';

/** One question at a time: VS Code has one box. */
let asking: Promise<unknown> = Promise.resolve();

/** Asks the user, field by field, what an MCP server wants to know. Escape leaves; nothing is sent then, and nothing is kept. */
export const answerServer: AnswerServer = (question) => {
  const answer = asking.then(() => ask(question));
  asking = answer.catch(() => undefined);
  return answer;
};

async function ask({ client_id, message, fields, signal }: ServerQuestion): Promise<Record<string, Json> | 'decline' | 'cancel'> {
  if (!vscode.workspace.isTrusted) return 'decline';
  const source = new vscode.CancellationTokenSource();
  const cancel = () => source.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const words = vscode.l10n.t('The MCP server {0} asks: {1}', client_id, message);
    const answer = vscode.l10n.t('Answer...');
    const decline = vscode.l10n.t('Decline');
    const first = await vscode.window.showQuickPick([answer, decline], { title: words, ignoreFocusOut: true }, source.token);
    if (first !== answer) return first === decline ? 'decline' : 'cancel';
    const values: Record<string, Json> = {};
    for (const [index, field] of fields.entries()) {
      const title = `${client_id}: ${field.title} (${index + 1}/${fields.length})`;
      const value = await askFor(field, title, message, source.token);
      if (value === undefined) return 'cancel';
      if (value !== null) Object.defineProperty(values, field.name, { value, enumerable: true });
    }
    return values;
  } finally {
    signal.removeEventListener('abort', cancel);
    source.dispose();
  }
}

/** Undefined if the user leaves; null for a field that is left out. */
async function askFor(
  field: QuestionField,
  title: string,
  message: string,
  token: vscode.CancellationToken,
): Promise<Json | undefined | null> {
  const prompt = field.description ?? message;
  const options = field.options ?? (field.type === 'boolean' ? yesNo() : undefined);
  if (options !== undefined) {
    const none = { label: vscode.l10n.t('No answer'), value: undefined };
    const items = [...options.map(({ value, title: label }) => ({ label, value })), ...(field.required ? [] : [none])];
    const picked = await vscode.window.showQuickPick(items, { title, placeHolder: prompt, ignoreFocusOut: true }, token);
    return picked === undefined ? undefined : picked.value === undefined ? null : (typedValue(field, picked.value) ?? null);
  }
  const text = await vscode.window.showInputBox(
    {
      title,
      prompt,
      ignoreFocusOut: true,
      ...(field.default !== undefined && { value: String(field.default) }),
      validateInput: (typed) => {
        if (typed === '' && !field.required) return undefined;
        if (typedValue(field, typed) !== undefined) return undefined;
        return field.type === 'integer' ? vscode.l10n.t('Type a whole number.') : vscode.l10n.t('Type a number.');
      },
    },
    token,
  );
  return text === undefined ? undefined : text === '' && !field.required ? null : typedValue(field, text);
}

function yesNo() {
  return [
    { value: 'true', title: vscode.l10n.t('Yes') },
    { value: 'false', title: vscode.l10n.t('No') },
  ];
}
