import type { Change, Stop } from '../agent/gate.js';
import { isObject, type Json, type JsonObject, parseObject } from '../json.js';
import { findObjects } from '../prompt/findObjects.js';
import { speaksInText } from '../prompt/loopParagraphs.js';

const shownByAgents = ['input', 'budget', 'agent'] as const;

/** The names of what `valuesAt` shows. */
export const shownAt: { readonly [at in Stop['at']]: readonly string[] } = {
  model: ['messages', 'request', ...shownByAgents],
  answer: ['answer', ...shownByAgents],
  tool: ['arguments', 'tool', ...shownByAgents],
  tool_answer: ['answer', 'tool', ...shownByAgents],
  route: ['context', 'outcomes', 'route'],
};

export const stopWords: { readonly [at in Stop['at']]: string } = {
  model: 'before a model call',
  answer: 'after an answer',
  tool: 'before a tool call',
  tool_answer: 'after a tool call',
  route: 'at a route',
};

/** The object in the answer of a model; undefined without one. In the text protocol a call is no answer. */
export function outputAt(stop: Stop): JsonObject | undefined {
  if (stop.at !== 'answer') return undefined;
  const { text } = stop.completion;
  const answer = speaksInText(stop.agent.resolved.config)
    ? text
        .split(/^\s*Final Answer:/m)
        .slice(1)
        .at(-1)
    : text;
  if (answer === undefined) return undefined;
  return parseObject(answer) ?? findObjects(answer, false).objects.find(({ value }) => value !== undefined)?.value;
}

/** What a debugger shows at a stop, by name: plain JSON. */
export function valuesAt(stop: Stop, change: Change | undefined): JsonObject {
  if (stop.at === 'route') {
    const { team, rule, next_team, outcomes, notes } = stop;
    return plain({ context: change?.context ?? stop.context, outcomes, route: { team, rule, next_team, notes } });
  }
  const { agent, payload, used, cost_left = null, step } = stop;
  const { agent_name, version } = agent.resolved.config;
  const common = {
    input: payload,
    budget: { ...used, cost_left },
    agent: { agent_name, version, step, ...(stop.task && { team: stop.team, task: stop.task }) },
  };
  switch (stop.at) {
    case 'model': {
      const { messages, ...request } = stop.request;
      return plain({ messages: change?.messages ?? messages, request: { ...request, tokens: stop.tokens }, ...common });
    }
    case 'answer': {
      const { text, blocks, finish_reason, usage = null } = stop.completion;
      return plain({ answer: { text, output: outputAt(stop) ?? null, ...(blocks && { blocks }), finish_reason, usage }, ...common });
    }
    case 'tool':
      return plain({
        arguments: change?.input ?? stop.call.input,
        tool: { name: stop.call.name, description: stop.tool.description },
        ...common,
      });
    case 'tool_answer':
      return plain({
        answer: change?.output ?? stop.outcome.content,
        tool: { name: stop.call.name, is_error: stop.outcome.is_error },
        ...common,
      });
  }
}

/** The change that makes a value at a stop another one; undefined if it cannot be changed there. */
export function changeTo(stop: Stop, name: string, value: Json): Change | undefined {
  if (stop.at === 'model' && name === 'messages') return { messages: value as unknown as NonNullable<Change['messages']> };
  if (stop.at === 'tool' && name === 'arguments' && isObject(value)) return { input: value };
  if (stop.at === 'tool_answer' && name === 'answer' && typeof value === 'string') return { output: value };
  if (stop.at === 'route' && name === 'context' && isObject(value)) return { context: value };
  return undefined;
}

/** The value at a path (`messages.0.content`, also in `{{}}`); undefined if there is none. */
export function valueAtPath(values: JsonObject, expression: string): Json | undefined {
  const path = expression.trim().replace(/^\{\{\s*|\s*\}\}$/g, '');
  let value: Json | undefined = values;
  for (const part of path.split('.')) {
    if (Array.isArray(value)) value = /^\d+$/.test(part) ? value[Number(part)] : undefined;
    else value = isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  }
  return value;
}

/** A copy with another value at a path. */
export function withValue(value: Json, path: readonly string[], next: Json): Json {
  const [name, ...others] = path;
  if (name === undefined) return next;
  if (Array.isArray(value)) return value.map((each, index) => (String(index) === name ? withValue(each, others, next) : each));
  if (!isObject(value)) return value;
  return { ...value, [name]: withValue(value[name] ?? null, others, next) };
}

export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
}

function plain(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}
