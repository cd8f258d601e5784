import type { AgentEvent } from '../../core/agent/events.js';
import type { EngineProgram } from '../../core/dbos/engine.js';
import { taskFlowId } from '../../core/dbos/names.js';
import { StepSkippedError } from '../../core/errors.js';
import type { JsonObject } from '../../core/json.js';

/** One after the other, or all at once. Each step asks the server of the test, which counts and may let it wait. */
export interface PlainOrder {
  readonly url: string;
  readonly tasks: readonly { readonly name: string; readonly steps: number; readonly once?: number }[];
  readonly parallel?: boolean;
  /** The first worker of the run does nothing until it has to leave it, and then tells that it was cancelled, as an orchestration does. */
  readonly waits?: boolean;
}

/** Tasks of steps, without agents and models: what the engine does to any of them can be seen. */
export const plainProgram: EngineProgram = {
  async run(run, work) {
    const { tasks, parallel } = run.request as unknown as PlainOrder;
    const tell = (type: string, more: object = {}) =>
      work.emit({ run_id: run.run_id, seq: 0, time: '', final: false, type, ...more } as unknown as AgentEvent);
    tell('run_start', run.event_count > 0 ? { resumed: await work.countSteps() } : {});
    if (run.request.waits === true && run.starts === 1 && !work.signal.aborted)
      await new Promise((resolve) => work.signal.addEventListener('abort', resolve, { once: true }));
    const results: JsonObject = {};
    const begin = async (name: string) => {
      tell('task_start', { task: name });
      await work.flush();
      const id = taskFlowId(run.run_id, { execution: 1, team: 'team', task: name });
      Object.assign(results, { [name]: await work.startTask(id, { name }, work.signal) });
      tell('task_end', { task: name });
    };
    let error: unknown;
    try {
      if (parallel) await Promise.all(tasks.map(({ name }) => begin(name)));
      else for (const { name } of tasks) await begin(name);
    } catch (thrown) {
      error = thrown;
    }
    const { code, message, details } = (error ?? {}) as { code?: string; message?: string; details?: JsonObject };
    const result = {
      status: work.signal.aborted || code === 'cancelled' ? 'cancelled' : error === undefined ? 'completed' : 'failed',
      output: { ...results },
      error: error === undefined ? null : { code: code ?? 'internal', message, details },
    };
    tell('final', { final: true, result });
  },

  async task(run, call, work) {
    const { url, tasks } = run.request as unknown as PlainOrder;
    const name = String(call.name);
    const { steps = 0, once = 0 } = tasks.find((each) => each.name === name) ?? {};
    const scope = work.steps.scope(`1/team/${name}`);
    const answers: string[] = [];
    try {
      for (let index = 1; index <= steps; index += 1) {
        const ask = async () => {
          const response = await fetch(`${url}/${name}/${index}`, { signal: work.signal });
          return await response.text();
        };
        const isOnce = index === once;
        try {
          answers.push(
            await scope.step(`step/${index}`, ask, isOnce ? { once: { describe: () => ({ tool: `${name}_${index}`, input: {} }) } } : {}),
          );
        } catch (error) {
          if (!(error instanceof StepSkippedError)) throw error;
          answers.push('skipped');
        }
        work.emit({ run_id: run.run_id, seq: 0, time: '', final: false, type: 'chunk', text: answers.at(-1) } as unknown as AgentEvent);
      }
    } catch (error) {
      if (!work.signal.aborted) throw error;
      return { result: { status: 'cancelled' }, isKept: false };
    }
    return { result: { answers }, isKept: true };
  },
};
