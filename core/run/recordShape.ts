import { isObject } from '../json.js';

type Shape = (value: unknown) => boolean;

const any: Shape = () => true;
const text: Shape = (value) => typeof value === 'string';
const amount: Shape = (value) => typeof value === 'number' && value >= 0;
const list =
  (item: Shape): Shape =>
  (value) =>
    Array.isArray(value) && value.every((each) => item(each));
const either =
  (...shapes: readonly Shape[]): Shape =>
  (value) =>
    shapes.some((shape) => shape(value));
const word =
  (wanted: string | null): Shape =>
  (value) =>
    value === wanted;
const nothing = word(null);

/** An object with these members. `others` may be absent; further ones have any shape. */
function object(members: Readonly<Record<string, Shape>>, others: Readonly<Record<string, Shape>> = {}): Shape {
  return (value) =>
    isObject(value) &&
    Object.entries(members).every(([name, shape]) => Object.hasOwn(value, name) && shape(value[name])) &&
    Object.entries(others).every(([name, shape]) => !Object.hasOwn(value, name) || shape(value[name]));
}

const error = object({ message: text }, { code: either(text, nothing) });
const call = { name: text, input: any };
const said = either(object({ type: word('text'), text }), object({ type: word('thinking'), text }));
const block = either(said, object({ type: word('tool_use'), id: text, ...call }));
const usage = object(
  { prompt_tokens: amount, completion_tokens: amount, total_tokens: amount, cached_tokens: amount },
  { cache_write_tokens: amount, reasoning_tokens: amount },
);
const completion = object({ text }, { blocks: list(block), usage, failed_usage: usage, left_out: list(text), attempts: amount });
const part = either(said, object({ type: word('retry') }), object({ type: word('completion'), completion }));
const message = object({ role: text, content: either(text, list(object({ type: text }))) });
const tools = list(object({ name: text, description: text, parameters: object({}), origin: object({ type: text }) }));
const agent = { agent_name: text, version: text, tools };
const started = { input: object({}), overrides: object({}, { llm: text, config: object({}) }) };

/** Of a run of one agent, and of several. */
export const isAgentHeader = object(agent, { ...started, error });
export const isTeamHeader = either(
  object({ kind: word('agent'), name: text, version: text }, started),
  object({ kind: word('orchestration'), name: text, version: nothing }, started),
);

/** Any further line: a record may have been written by hand. */
export const isRecordLine = object(
  {},
  {
    at: text,
    llm: object({ request: object({ messages: list(message) }), parts: list(part) }, { error }),
    tool: object(call, { outcome: object({ content: text }), error }),
    approval: object(call, { error }),
    edit: object({ stop: text, change: object({}, { messages: list(either(message, nothing)), input: object({}), context: object({}) }) }),
    session: object({ session_id: text, messages: list(message) }),
    end: object({ status: text, error: either(error, nothing) }),
    open: object(agent, { error }),
  },
);
