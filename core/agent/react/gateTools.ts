import type { Issue } from '../../errors.js';
import { type Json, pointerOf } from '../../json.js';
import type { Tool } from '../../tools/types.js';
import type { Change, Gate } from '../gate.js';
import { stopOf, toIssue, unused, waitAt } from '../stopRun.js';
import type { Turn } from '../turn.js';
import type { CallResult, CallTools } from './callTools.js';
import { createInputCheck } from './checkInput.js';
import { readOutcome } from './observation.js';
import type { AskedCall } from './protocol.js';

/**
 * The same, with a stop before and after each call. What is changed is in the record as an edit. The stops of a turn come one after another, since
 * they wait for one person; the calls in between run as usual.
 */
export function gateTools(turn: Turn, gate: Gate, tools: readonly Tool[], callTools: CallTools): CallTools {
  const { request, record } = turn;
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const check = createInputCheck(request.agent.schemas, () => undefined);
  const edit = (step: number, call: AskedCall, name: 'input' | 'output', before: Json, after: Json) =>
    record.edited({ type: 'edit', step, path: pointerOf('tool_calls', call.id, name), before, after });

  /** The call to make; undefined if the person answered it. */
  async function before(step: number, call: AskedCall): Promise<AskedCall | CallResult> {
    const tool = byName.get(call.name);
    // It is refused without being called.
    if (!tool) return call;
    const checkChange = async ({ input, output, ...others }: Change): Promise<readonly Issue[]> => [
      ...unused(others, 'tool'),
      ...(input && output !== undefined ? [toIssue('', 'Change the arguments or the answer, not both.')] : []),
      ...(input ? (await check(tool, input)).map((issue) => ({ ...issue, path: `/input${issue.path}` })) : []),
    ];
    const change = await waitAt(gate, { at: 'tool', ...stopOf(turn, step), call, tool, check: checkChange }, turn);
    if (change?.output !== undefined) {
      edit(step, call, 'output', null, change.output);
      return { call, input: call.input, outcome: readOutcome({ content: change.output }) };
    }
    if (change?.input === undefined) return call;
    edit(step, call, 'input', call.input_text ?? call.input, change.input);
    return { id: call.id, name: call.name, input: change.input };
  }

  async function after(step: number, result: CallResult): Promise<CallResult> {
    const { call, outcome } = result;
    const checkChange = ({ output, ...others }: Change) => unused(others, 'tool_answer');
    const stop = { at: 'tool_answer', ...stopOf(turn, step), call, tool: byName.get(call.name), outcome, check: checkChange } as const;
    const change = await waitAt(gate, stop, turn);
    if (change?.output === undefined || change.output === outcome.content) return result;
    edit(step, call, 'output', outcome.value, change.output);
    return { ...result, outcome: readOutcome({ content: change.output }) };
  }

  return async (step, calls, steps) => {
    const entries: (AskedCall | CallResult)[] = [];
    for (const call of calls) entries.push(await before(step, call));
    const made = entries.filter((entry): entry is AskedCall => !('outcome' in entry));
    const answered = made.length === 0 ? [] : await callTools(step, made, steps);
    const results: CallResult[] = [];
    for (const entry of entries) {
      if ('outcome' in entry) results.push(entry);
      else {
        const result = answered[made.indexOf(entry)];
        if (!result) throw new Error('A call has no result.');
        results.push(await after(step, result));
      }
    }
    return results;
  };
}
