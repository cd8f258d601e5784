import type { Change, Stop } from '../agent/gate.js';
import { isObject, type Json, type JsonObject, parseObject } from '../json.js';
import { findObjects } from '../prompt/findObjects.js';
import { speaksInText } from '../prompt/loopParagraphs.js';

const shownByAgents = ['input', 'budget', 'agent', 'steps'] as const;

/** The names of what `valuesAt` shows. */
export const shownAt: { readonly [at in Stop['at']]: readonly string[] } = {
  model: ['messages', 'request', ...shownByAgents],
  answer: ['answer', ...shownByAgents],
  tool: ['arguments', 'tool', ...shownByAgents],
  tool_answer: ['answer', 'tool', ...shownByAgents],
  finding: ['finding', ...shownByAgents],
  route: ['context', 'outcomes', 'route'],
};

export const stopWords: { readonly [at in Stop['at']]: string } = {
  model: 'before a model call',
  answer: 'after an answer',
  tool: 'before a tool call',
  tool_answer: 'after a tool call',
  finding: 'at a finding',
  route: 'at a route',
};

/** The object in the answer of a model; undefined without one. In the text protocol a call is no answer. */
export function outputAt(stop: Stop): JsonObject | undefined {
  if (stop.at !== 'answer') return undefined;
  const { text } = stop.completion;
  const answer = speaksInText(stop.agent.resolved.config)
    ? text
        .split(/^[ \t]*Final Answer:/m)
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
  const { agent, payload, used, cost_left = null, step, callers, plan_step, plan_outcomes } = stop;
  const { agent_name, version } = agent.resolved.config;
  const plan = { ...(plan_step !== undefined && { plan_step }), ...(callers.length > 0 && { callers }) };
  const common = {
    input: payload,
    budget: { ...used, cost_left },
    agent: { agent_name, version, step, ...plan, ...(stop.task && { team: stop.team, task: stop.task }) },
    ...(plan_outcomes && { steps: plan_outcomes }),
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
    case 'finding':
      return plain({ finding: stop.finding, ...common });
    case 'tool_answer':
      return plain({
        answer: change?.output ?? stop.outcome.content,
        tool: { name: stop.call.name, is_error: stop.outcome.is_error },
        ...common,
      });
  }
}

/** The value at a path (`messages.0.content`, also in `{{}}`); undefined if there is none. */
export function valueAtPath(values: JsonObject, expression: string): Json | undefined {
  const path = expression
    .trim()
    .replace(/^\{\{|\}\}$/g, '')
    .trim();
  let value: Json | undefined = values;
  for (const part of path.split('.')) {
    if (Array.isArray(value)) value = /^\d+$/.test(part) ? value[Number(part)] : undefined;
    else value = isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  }
  return value;
}

export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
}

/** An object whose members are made when they are first read. */
export function lazily(made: Readonly<Record<string, () => Json>>): JsonObject {
  const values = {};
  for (const [name, make] of Object.entries(made)) {
    const define = (descriptor: PropertyDescriptor) =>
      Object.defineProperty(values, name, { enumerable: true, configurable: true, ...descriptor });
    define({
      get() {
        const value = make();
        define({ value });
        return value;
      },
    });
  }
  return values;
}

/** The same as plain JSON, made when it is read: a request may be long. */
function plain(value: Readonly<Record<string, unknown>>): JsonObject {
  const made = Object.entries(value).map(([name, member]) => [name, () => JSON.parse(JSON.stringify(member)) as Json] as const);
  return lazily(Object.fromEntries(made));
}
