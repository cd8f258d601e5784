import type { Change, Stop } from '../agent/gate.js';
import { InputInvalidError } from '../errors.js';
import { isObject, type JsonObject } from '../json.js';
import { parseJson } from '../jsonText/parseJson.js';

/** What can be edited at a stop as a text. */
export interface Editable {
  /** A file name for it. */
  readonly name: string;
  readonly text: string;
  /** @throws InputInvalidError if the text is not what it has to be */
  readonly change: (text: string) => Change;
}

/** Each message of a request, the arguments or the answer of a tool, or the context; nothing of an answer. @param before what has been changed so far */
export function editablesAt(stop: Stop, before: Change | undefined): readonly Editable[] {
  switch (stop.at) {
    case 'model': {
      const messages = before?.messages ?? stop.request.messages;
      return messages.map(({ content }, at) => {
        const replaced = (text: string) => (typeof content === 'string' ? withoutLastBreak(text, content) : readJson(text));
        return {
          name: typeof content === 'string' ? 'message.md' : 'message.json',
          text: typeof content === 'string' ? content : JSON.stringify(content, null, 2),
          change: (text) => ({
            messages: messages.map((each, index) => (index === at ? ({ ...each, content: replaced(text) } as typeof each) : each)),
          }),
        };
      });
    }
    case 'tool': {
      const written = before?.input ? undefined : stop.call.input_text;
      const text = written ?? JSON.stringify(before?.input ?? stop.call.input, null, 2);
      return [{ name: 'arguments.json', text, change: (edited) => ({ input: readObject(edited) }) }];
    }
    case 'tool_answer': {
      const answer = before?.output ?? stop.outcome.content;
      return [{ name: 'answer.txt', text: answer, change: (edited) => ({ output: withoutLastBreak(edited, answer) }) }];
    }
    case 'route': {
      const text = JSON.stringify(before?.context ?? stop.context, null, 2);
      return [{ name: 'context.json', text, change: (edited) => ({ context: readObject(edited) }) }];
    }
    case 'answer':
    case 'finding':
      return [];
  }
}

/** The change that an edited text makes; undefined if nothing was changed. @throws InputInvalidError if the run would refuse it */
export async function editedAt(stop: Stop, { text, change }: Editable, edited: string): Promise<Change | undefined> {
  if (stop.locked !== undefined) throw new InputInvalidError(stop.locked, []);
  if (edited.replace(/\n$/, '') === text.replace(/\n$/, '')) return undefined;
  const changed = change(edited);
  const issues = await stop.check(changed);
  if (issues.length === 0) return changed;
  throw new InputInvalidError(issues.map(({ path, message }) => `${path} ${message}`.trim()).join('\n'), issues);
}

/** Editors end a file with a line break. */
function withoutLastBreak(text: string, before: string): string {
  return before.endsWith('\n') ? text : text.replace(/\r?\n$/, '');
}

function readObject(text: string): JsonObject {
  const value = readJson(text);
  if (isObject(value)) return value;
  throw new InputInvalidError('A JSON object is needed here.', []);
}

function readJson(text: string): unknown {
  const { value, syntax } = parseJson(text);
  if (value !== undefined && syntax.length === 0) return value;
  throw new InputInvalidError(`Nothing was changed, since this is not JSON: ${syntax.map(({ message }) => message).join(' ')}`, []);
}
