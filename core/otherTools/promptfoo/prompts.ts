import { isObject, type Json, type JsonObject } from '../../json.js';
import { quoted } from '../../words.js';
import type { ImportSource } from '../importSource.js';
import type { At, Draft } from '../types.js';

/** A prompt as an agent of ours sends it. */
export interface Messages {
  readonly system_text?: string;
  readonly user_text?: string;
}

/** The messages of a prompt: a text, or a list of chat messages as JSON. Undefined where there is nothing to send. */
export function messagesOf(text: string, at: At, draft: Pick<Draft, 'note'>): Messages | undefined {
  const chat = chatOf(text);
  if (chat === undefined) return text.trim() === '' ? undefined : { user_text: converted(text, at, draft) };
  const said = (role: string) => chat.filter((message) => message.role === role).map(({ content }) => content);
  const [system, user] = [said('system'), said('user')];
  const others = chat.filter(({ role }) => role !== 'system' && role !== 'user');
  if (others.length > 0 || user.length > 1)
    draft.note(
      at,
      'Only the system messages and the last message of the user are kept: the turns before are cases with "turns" (docs/evals.md).',
    );
  const last = user.at(-1);
  return {
    ...(system.length > 0 && { system_text: converted(system.join('\n\n'), at, draft) }),
    ...(last !== undefined && { user_text: converted(last, at, draft) }),
  };
}

function chatOf(text: string): readonly { readonly role: string; readonly content: string }[] | undefined {
  if (!text.trimStart().startsWith('[')) return undefined;
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
  const messages = Array.isArray(value) ? value : [];
  const chat = messages.flatMap((message: Json) =>
    isObject(message) && typeof message.role === 'string' && typeof message.content === 'string'
      ? [{ role: message.role, content: message.content }]
      : [],
  );
  return chat.length > 0 && chat.length === messages.length ? chat : undefined;
}

/** Nunjucks as our templates: `{{topic}}` is `{{input.topic}}`. Anything more stays as it is and is noted. */
function converted(text: string, at: At, draft: Pick<Draft, 'note'>): string {
  const kept = new Set<string>();
  const result = text.replace(/\{\{-?\s*([^{}]*?)\s*-?\}\}|\{%[\s\S]*?%\}/g, (whole, path: string | undefined) => {
    if (path !== undefined && /^[A-Za-z_]\w*(?:\.\w+)*$/.test(path) && !path.startsWith('env.')) return `{{input.${path}}}`;
    kept.add(whole.length > 60 ? `${whole.slice(0, 60)}...` : whole);
    return whole;
  });
  if (kept.size > 0)
    draft.note(
      at,
      `${[...kept].map(quoted).join(', ')} is not filled in here: templates have paths such as {{input.topic}} only. Write it differently.`,
    );
  return result;
}

/** The keys of the input that templates name. */
export function inputKeysOf({ system_text = '', user_text = '' }: Messages): readonly string[] {
  return [...new Set([...`${system_text}\n${user_text}`.matchAll(/\{\{input\.(\w+)/g)].map(([, key = '']) => key))];
}

/** The texts of a file of prompts: several in a text are separated by lines of three dashes. */
export function promptsIn({ format, value, body, text }: ImportSource): readonly string[] {
  if (format === 'json') return [text];
  if (format === 'yaml') return [typeof value === 'string' ? value : JSON.stringify(value)];
  const whole = format === 'markdown' ? text : body;
  return whole.split(/^---\s*$/m).filter((part) => part.trim() !== '');
}

/** `vendor/model` of a provider; undefined for what is no model that answers with a text. */
export function providerText(id: string): string | undefined {
  const [vendor = '', ...rest] = id.split(':');
  const [api = '', ...below] = rest;
  const isNamed = below.length > 0;
  if (/^(?:file|https?|exec|python|javascript|webhook|package|echo|browser|websocket)$/.test(vendor) || /-sdk$/.test(rest.join(':')))
    return undefined;
  if (isNamed && /^(?:embeddings?|moderation|image|video|assistant|agents|realtime|transcription|speech|live)$/.test(api)) return undefined;
  // A fine-tuned model has colons in its name.
  const name = (isNamed && /^(?:chat|responses|messages|completion)$/.test(api) ? below : rest).join(':');
  return name === '' ? undefined : `${vendors.get(vendor) ?? vendor}/${name}`;
}

const vendors: ReadonlyMap<string, string> = new Map(
  Object.entries({ azureopenai: 'azure', vertex: 'google', palm: 'google', togetherai: 'together' }),
);

export type ProviderEntry = { readonly id: string; readonly config: JsonObject; readonly label?: string; readonly at: At };
