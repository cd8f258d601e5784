import { LlmError, type LlmFailureReason } from '../../core/errors.js';
import type { JsonObject } from '../../core/json.js';
import { messageText } from '../../core/llm/messageText.js';
import type { AssistantBlock, Message, UserBlock } from '../../core/llm/types.js';
import { capitalized } from '../../core/words.js';

/** The names of a model. */
export interface ModelNames {
  readonly id: string;
  readonly family: string;
  readonly name: string;
  readonly vendor: string;
}

/** The model that `model_name` means: by id, else `vendor/id`, else family, else displayed name; the first of all for an empty name. */
export function chooseModel<Model extends ModelNames>(models: readonly Model[], name: string): Model | undefined {
  if (name === '') return models[0];
  return (
    models.find(({ id }) => id === name) ??
    models.find(({ vendor, id }) => `${vendor}/${id}` === name) ??
    models.find(({ family }) => family === name) ??
    models.find((model) => model.name.toLowerCase() === name.toLowerCase())
  );
}

export function noSuchModel(models: readonly ModelNames[], name: string): LlmError {
  const fault = name === '' ? 'VS Code offers no language model' : `VS Code offers no language model ${JSON.stringify(name)}`;
  const ids = models.slice(0, 10).map(({ id }) => id);
  const remedy =
    ids.length === 0
      ? 'Sign in to GitHub Copilot, or install an extension that brings models.'
      : `There are: ${ids.join(', ')}${models.length > ids.length ? ', ...' : ''}. "Agent Stack: Select Language Model" writes one into an llm profile.`;
  return new LlmError('not-found', `${fault}. ${remedy}`);
}

/** A message as these models take it: a text, or parts where tools are in it. */
export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: string | readonly TurnPart[];
}

export type TurnPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'call'; readonly id: string; readonly name: string; readonly input: JsonObject }
  | { readonly type: 'result'; readonly id: string; readonly text: string };

/**
 * The messages without a system role, which these models do not know: its text leads the first message of the user. Thoughts are left out,
 * and results come before the rest of the user's message, since they have to follow their calls.
 */
export function toTurns(messages: readonly Message[]): readonly Turn[] {
  const turns: Turn[] = [];
  const lead: string[] = [];
  for (const message of messages) {
    if (message.role === 'system') lead.push(message.content);
    else turns.push({ role: message.role, content: toContent(message) });
  }
  if (lead.length === 0) return turns;
  const at = turns.findIndex(({ role }) => role === 'user');
  const first = turns[at];
  if (first === undefined) return [{ role: 'user', content: lead.join('\n\n') }, ...turns];
  turns[at] = { role: 'user', content: led(lead, first.content) };
  return turns;
}

function led(lead: readonly string[], content: Turn['content']): Turn['content'] {
  if (typeof content === 'string') return [...lead, content].join('\n\n');
  return [{ type: 'text', text: lead.join('\n\n') }, ...content];
}

function toContent(message: Message): Turn['content'] {
  if (typeof message.content === 'string') return message.content;
  const blocks: readonly (AssistantBlock | UserBlock)[] = message.content;
  const parts = blocks.flatMap(toPart);
  if (parts.every(({ type }) => type === 'text')) return messageText(message);
  return [...parts.filter(({ type }) => type === 'result'), ...parts.filter(({ type }) => type !== 'result')];
}

function toPart(block: AssistantBlock | UserBlock): readonly TurnPart[] {
  switch (block.type) {
    case 'text':
      return block.text === '' ? [] : [{ type: 'text', text: block.text }];
    case 'thinking':
      return [];
    case 'tool_use':
      return [{ type: 'call', id: block.id, name: block.name, input: block.input }];
    case 'tool_result':
      return [{ type: 'result', id: block.tool_use_id, text: block.content }];
  }
}

/** The failure of a model of VS Code, with the reasons that every provider has. */
export function toModelError(error: unknown, model: string): unknown {
  if (error instanceof LlmError || !(error instanceof Error)) return error;
  const code = 'code' in error ? error.code : undefined;
  const words = inWords(error);
  const modelWords = model === '' ? 'the language model' : `the language model ${JSON.stringify(model)}`;
  const because = words === '' ? '' : `: ${words}`;
  const fail = (reason: LlmFailureReason, message: string, recoverable = false) =>
    new LlmError(reason, message, { cause: error, recoverable });
  if (code === 'NoPermissions')
    return fail(
      'auth',
      `VS Code does not let Agent Stack use ${modelWords}. Allow it when VS Code asks, or under "Manage Language Model Access".`,
    );
  if (code === 'NotFound') return fail('not-found', `VS Code does not offer ${modelWords} any more.`);
  if (/content.?filter|filtered|safety|responsible ai|policy/i.test(words))
    return fail('content-filter', `The answer of ${modelWords} was withheld${because}`);
  if (code === 'Blocked' || /quota/i.test(words)) return fail('quota', `VS Code lets no more requests through to ${modelWords}${because}`);
  if (/rate.?limit|too many requests/i.test(words))
    return fail('rate-limit', `There were too many requests to ${modelWords}${because}`, true);
  if (/context.?(length|window)|too (long|large)|maximum.{0,200}tokens/i.test(words))
    return fail('context-length', `The prompt is too long for ${modelWords}${because}`);
  return fail('server', `${capitalized(modelWords)} failed${because}`);
}

/** The message of the error, or of its cause if it has no message. */
function inWords(error: Error): string {
  const ownMessage = error.message.trim();
  const behind = error.cause instanceof Error ? error.cause.message.trim() : '';
  return (ownMessage === '' || ownMessage === 'Unknown' ? behind : ownMessage).slice(0, 500);
}
