import { isObject, type JsonObject } from '../../json.js';
import { quoteInexactNumbers } from '../../jsonText/exactNumbers.js';
import { findObjects } from '../../prompt/findObjects.js';
import { ReplyReader, type ReplySection } from './replyReader.js';

/** A tool call in a reply of the text protocol. */
export interface ReplyAction {
  readonly tool: string;
  /** Empty without input, or if it is not a JSON object: see `input_text`. */
  readonly input: JsonObject;
  readonly input_text?: string;
}

export interface TextReply {
  /** All thoughts that count, joined by an empty line; text without a label is one. */
  readonly thought: string;
  /** In order. Empty if there is an answer. */
  readonly actions: readonly ReplyAction[];
  /** Undefined when there is none, or when it follows an action whose result it cannot know. */
  readonly answer: string | undefined;
  /** How much of the reply counts, in UTF-16 units: up to an observation that the model invented. */
  readonly end: number;
}

/** Reads a whole reply of the text protocol. Never throws. */
export function parseReply(text: string): TextReply {
  const reader = new ReplyReader();
  reader.push(text);
  reader.end();
  return interpretReply(reader.sections, text.length);
}

/**
 * The calls or the answer in a reply. Reads tolerantly: a missing thought, an action without input or with it on its own line, input in a
 * code fence, several actions, text after the answer. Actions before an answer win, since it was written without their results.
 *
 * @param length of the whole reply
 */
export function interpretReply(sections: readonly ReplySection[], length: number): TextReply {
  const thoughts: string[] = [];
  const rawActions: { action: string; input: string | undefined }[] = [];
  let answer: string | undefined;
  let end = length;
  for (const { label, start, text } of sections) {
    if (label === 'thought') thoughts.push(text.trim());
    else if (label === 'action') {
      if (!noTool.test(text.trim())) rawActions.push({ action: text, input: undefined });
    } else if (label === 'input') {
      const last = rawActions.at(-1);
      if (last) last.input ??= text;
    } else if (rawActions.length > 0) {
      end = start;
      break;
    } else if (label === 'answer' && text.trim() !== '') {
      answer = withoutLooseFence(text.trim());
      break;
    }
  }
  const actions: ReplyAction[] = [];
  for (const { action, input } of rawActions) {
    const read = readAction(action, input);
    if (read === 'answer') answer ??= input?.trim();
    else if (read !== undefined) actions.push(read);
  }
  const thought = thoughts.filter((part) => part !== '' && !looseFence.test(part)).join('\n\n');
  return { thought, actions, answer: actions.length > 0 || answer === '' ? undefined : answer, end };
}

/** Names that mean no tool. */
const noTool = /^(?:none|n\/a|nothing|no action)\.?$/i;
/** The start of a fence around the whole reply. */
const looseFence = /^(?:`{3}|~{3})\w{0,20}$/;
const longestName = 200;

function readAction(text: string, input: string | undefined): ReplyAction | 'answer' | undefined {
  const action = text.trim();
  if (action === '') return undefined;
  if (/^[*_`"']{0,3}final[ _]?answer[*_`"']{0,3}$/i.test(action)) return 'answer';
  if (/^(?:\{|```|~~~)/.test(action)) return readObjectAction(action);
  const parts = /^[`"'[<*]{0,3}([\w.:/-]{1,200})[`"'\]>*]{0,3}\s*(.*)$/s.exec(action);
  const [, name = '', trailing = ''] = parts ?? [];
  if (parts && trailing === '') return { tool: name, ...readInput(input ?? '') };
  if (parts && input === undefined && /^[({[`~]/.test(trailing)) return { tool: name, ...readInput(withoutBrackets(trailing)) };
  const line = action.split('\n', 1)[0] ?? '';
  // If the line has more than a name, all of it counts as the name, which leads to an error about an unknown tool.
  const alone = /^[`"'[<*]{0,3}([\w.:/-]{1,200})[`"'\]>*]{0,3}\s*$/.exec(line);
  return { tool: alone?.[1] ?? line.slice(0, longestName), ...readInput(input ?? (alone ? action.slice(line.length) : '')) };
}

/** `Action: {"tool": "search", "input": {...}}`, with the key names of several frameworks. */
function readObjectAction(text: string): ReplyAction | undefined {
  const object = firstObject(text);
  if (!object) return undefined;
  const tool = ['tool', 'name', 'action', 'tool_name'].map((key) => ownValue(object, key)).find((value) => typeof value === 'string');
  const input = ['input', 'arguments', 'args', 'parameters', 'action_input'].map((key) => ownValue(object, key)).find(isObject);
  return typeof tool === 'string' ? { tool: tool.slice(0, longestName), input: input ?? {} } : undefined;
}

function readInput(text: string): Pick<ReplyAction, 'input' | 'input_text'> {
  const trimmed = text.trim();
  if (trimmed === '' || /^(?:none|null|n\/a)$/i.test(trimmed)) return { input: {} };
  const object = firstObject(quoteInexactNumbers(trimmed));
  return object ? { input: object } : { input: {}, input_text: trimmed };
}

/** The first object that is complete and has no duplicate key. */
function firstObject(text: string): JsonObject | undefined {
  for (const { value, issues } of findObjects(text).objects) if (value && issues.length === 0) return value;
  return undefined;
}

function ownValue(object: JsonObject, key: string) {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function withoutBrackets(text: string): string {
  const trimmed = text.trim();
  return trimmed.startsWith('(') && trimmed.endsWith(')') ? trimmed.slice(1, -1) : trimmed;
}

/** The end of a fence around the whole reply. */
function withoutLooseFence(text: string): string {
  const fences = text.match(/^[ \t]*(?:`{3}|~{3})/gm)?.length ?? 0;
  return fences % 2 === 1 ? text.replace(/\n[ \t]*(?:`{3,}|~{3,})[ \t]*$/, '').trimEnd() : text;
}
