import * as vscode from 'vscode';
import type { Agent } from '../../../core/agent/types.js';
import { type Json, type JsonObject, pointerOf, valueAt } from '../../../core/json.js';
import { toPayload } from '../../panels/chat/chatInput.js';
import { askText } from './steps.js';

/** A box for each key of the input; for an agent that names none, one for a message or the whole as JSON. */
export async function typeInput(agent: Agent, title: string, before: JsonObject): Promise<JsonObject | 'back' | undefined> {
  const { config } = agent.resolved;
  const keys = config.input_keys ?? [];
  if (keys.length === 0) {
    const message = Object.keys(before).length === 1 ? before.message : undefined;
    const typed = await askText({
      title,
      prompt: vscode.l10n.t('A message to the agent, or its whole input as a JSON object'),
      value: typeof message === 'string' ? message : Object.keys(before).length === 0 ? '' : JSON.stringify(before),
      check: (text) => messageOf(agent, toPayload(text), ''),
    });
    return typed === undefined || typed === 'back' ? typed : toPayload(typed.text);
  }
  const values = new Map<string, Json>();
  for (let at = 0; at < keys.length; ) {
    const key = keys[at] ?? '';
    const knownValue = values.get(key) ?? (Object.hasOwn(before, key) ? before[key] : undefined) ?? '';
    const typed = await askText({
      title: keys.length === 1 ? title : `${title} (${at + 1}/${keys.length})`,
      prompt: promptOf(config.input_schema, key),
      value: typeof knownValue === 'string' ? knownValue : JSON.stringify(knownValue),
      check: (text) => messageOf(agent, Object.fromEntries([[key, toValue(text, config.input_schema, key)]]), key),
    });
    if (typed === undefined) return undefined;
    if (typed === 'back') {
      if (at === 0) return 'back';
      at -= 1;
      continue;
    }
    values.set(key, toValue(typed.text, config.input_schema, key));
    at += 1;
  }
  return Object.fromEntries(values);
}

/** What is wrong with one key, or with the whole (an empty key); undefined when nothing is. */
function messageOf({ prompt }: Agent, payload: JsonObject, key: string): string | undefined {
  const pointer = key === '' ? '' : pointerOf(key);
  return prompt.checkPayload(payload).find(({ path }) => path === pointer || path.startsWith(`${pointer}/`))?.message;
}

function promptOf(schema: JsonObject | undefined, key: string): string {
  const description = valueAt(schema, pointerOf('properties', key, 'description'));
  return typeof description === 'string' ? `${key}: ${description}` : key;
}

/** Text, unless the schema asks for something else, or what was typed is plainly an object or a list. */
function toValue(text: string, schema: JsonObject | undefined, key: string): Json {
  const type = valueAt(schema, pointerOf('properties', key, 'type'));
  if (type === 'string') return text;
  const mayBeJson = typeof type === 'string' || /^\s*[[{]/.test(text);
  return (mayBeJson ? parse(text) : undefined) ?? text;
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
