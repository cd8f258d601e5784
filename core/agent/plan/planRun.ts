import type { DurableSteps } from '../../durable.js';
import { InputInvalidError } from '../../errors.js';
import type { Condition } from '../../generated/types.js';
import { isObject, type Json, type JsonObject } from '../../json.js';
import { evaluateTemplate, parseTemplate, type Template, toTemplateText } from '../../prompt/template.js';
import { type Evaluation, evaluateCondition, type TaskOutcome } from '../../routing/evaluateCondition.js';
import type { Patterns } from '../../routing/patterns.js';
import type { Tool } from '../../tools/types.js';
import { type CallTools, createToolCaller } from '../react/callTools.js';
import { gateTools } from '../react/gateTools.js';
import type { Turn } from '../turn.js';

export interface StepOutcome extends TaskOutcome {
  readonly status: 'completed' | 'failed' | 'skipped';
}

/** The shared state of a plan's steps while it runs: their outputs, by name, and the tools. */
export class PlanRun {
  readonly turn: Turn;
  readonly tools: readonly Tool[];
  readonly callTools: CallTools;
  /** The step that runs. */
  step: string | undefined;
  /** In the order in which they ended last. */
  readonly outcomes = new Map<string, StepOutcome>();
  readonly #patterns: Patterns | undefined;
  readonly #executions = new Map<string, number>();
  #number = 0;

  constructor(turn: Turn, tools: readonly Tool[], patterns: Patterns | undefined) {
    this.turn = { ...turn, plan: this };
    this.tools = tools;
    const { gate } = turn.request;
    const callTools = createToolCaller(this.turn, tools);
    this.callTools = gate ? gateTools(this.turn, gate, tools, callTools) : callTools;
    this.#patterns = patterns;
  }

  /** Number of the next step of the run, from 1: each execution of a step of the plan is one. */
  nextNumber(): number {
    this.#number += 1;
    return this.#number;
  }

  /** The scope of a step's next execution: `{name}/{execution}`. Undefined if nothing is stored. */
  nextScope(name: string): DurableSteps | undefined {
    const execution = (this.#executions.get(name) ?? 0) + 1;
    this.#executions.set(name, execution);
    return this.turn.request.steps?.scope(`${name}/${execution}`);
  }

  ended(name: string, outcome: StepOutcome): void {
    this.outcomes.delete(name);
    this.outcomes.set(name, outcome);
  }

  /** Conditions see the steps so far, and the input of the plan as their context. */
  judge(condition: Condition): Evaluation {
    return evaluateCondition(condition, { outcomes: this.outcomes, context: this.turn.request.payload, patterns: this.#patterns });
  }

  /**
   * A template with `input` and `steps.<name>.output` replaced by their values. A text that is only the output of a skipped or failed step
   * is null.
   * @throws InputInvalidError naming the path that does not exist
   */
  render(template: Json): Json {
    if (typeof template === 'string') return this.#isOfNothing(template) ? null : this.#evaluate(template);
    if (Array.isArray(template)) return template.map((item: Json) => this.render(item));
    if (!isObject(template)) return template;
    // fromEntries defines properties, so a key named __proto__ stays a key.
    return Object.fromEntries(Object.entries(template).map(([key, item]) => [key, this.render(item)]));
  }

  /** The same as a text, in which every path has to exist. @throws InputInvalidError */
  renderText(template: string): string {
    return toTemplateText(this.#evaluate(template));
  }

  #isOfNothing(text: string): boolean {
    const [only, ...others] = parseTemplate(text).parts;
    if (only === undefined || typeof only === 'string' || others.length > 0) return false;
    const [root, name = '', part, ...more] = only.segments;
    const outcome = this.outcomes.get(name);
    return root === 'steps' && part === 'output' && more.length === 0 && outcome !== undefined && outcome.output === undefined;
  }

  #evaluate(text: string): Json {
    const template = parseTemplate(text);
    try {
      return evaluateTemplate(template, this.#scope());
    } catch (error) {
      throw (error instanceof InputInvalidError && this.#withoutOutput(template)) || error;
    }
  }

  #scope(): JsonObject {
    const steps = [...this.outcomes].flatMap(([name, { output }]) => (output === undefined ? [] : [[name, { output }] as const]));
    return { input: this.turn.request.payload, steps: Object.fromEntries(steps) };
  }

  /** The error for a path into a step that ran without an output. */
  #withoutOutput({ parts }: Template): InputInvalidError | undefined {
    for (const part of parts) {
      if (typeof part === 'string') continue;
      const { path, segments } = part;
      const [root, name = ''] = segments;
      const outcome = this.outcomes.get(name);
      if (root !== 'steps' || outcome === undefined || outcome.output !== undefined) continue;
      const advice = `Give what uses it a "when": {"step": ${JSON.stringify(name)}, "status": "success"}, or leave the path out.`;
      const message = `Nothing provides {{${path}}}: the step ${JSON.stringify(name)} ${outcome.status === 'skipped' ? 'was skipped' : 'failed'}. ${advice}`;
      return new InputInvalidError(message, [{ path: '', keyword: 'template', message }]);
    }
    return undefined;
  }
}
