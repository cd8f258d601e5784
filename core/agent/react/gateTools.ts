import type { Issue } from '../../errors.js';
import { type Json, pointerOf } from '../../json.js';
import type { Tool } from '../../tools/types.js';
import type { Change, Gate, KeptChange, Stop, StopPlace } from '../gate.js';
import { stopAtFinding } from '../stopAtFinding.js';
import { type Stopping, stopAt, stopOf, stoppingOf, toIssue, unused } from '../stopRun.js';
import type { Turn } from '../turn.js';
import { type CallResult, type CallTools, namesOfCalls } from './callTools.js';
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

  /** The call to make, or what the person answered it with. */
  async function before(stopping: Stopping, place: StopPlace, call: AskedCall): Promise<AskedCall | CallResult> {
    const tool = byName.get(call.name);
    // It is refused without being called.
    if (!tool) return call;
    const { step } = place;
    const checkChange = async ({ input, output, ...others }: Change): Promise<readonly Issue[]> => [
      ...unused(others, 'tool'),
      ...(input && output !== undefined ? [toIssue('', 'Change the arguments or the answer, not both.')] : []),
      ...(input ? (await check(tool, input)).map((issue) => ({ ...issue, path: `/input${issue.path}` })) : []),
    ];
    let entry: AskedCall | CallResult = call;
    const stop = (): Stop => ({ at: 'tool', ...stopOf(turn, step), call, tool, check: checkChange });
    const apply = ({ input, output }: KeptChange) => {
      if (output !== undefined) {
        edit(step, call, 'output', null, output);
        entry = { call, input: call.input, outcome: readOutcome({ content: output }) };
      } else if (input !== undefined) {
        edit(step, call, 'input', call.input_text ?? call.input, input);
        entry = { id: call.id, name: call.name, input };
      }
    };
    await stopAt(stopping, { ...place, stop: 'tool' }, stop, apply, asChanged);
    return entry;
  }

  async function after(stopping: Stopping, place: StopPlace, result: CallResult): Promise<CallResult> {
    const { call, outcome, isDenied } = result;
    const { step } = place;
    if (isDenied) await stopAtFinding(turn, gate, step, { kind: 'denied', tool: call.name, message: outcome.content });
    const checkChange = ({ output, ...others }: Change) => unused(others, 'tool_answer');
    let changed = result;
    const stop = (): Stop => ({
      at: 'tool_answer',
      ...stopOf(turn, step),
      call,
      tool: byName.get(call.name),
      outcome: changed.outcome,
      check: checkChange,
    });
    const apply = ({ output = '' }: KeptChange) => {
      edit(step, call, 'output', outcome.value, output);
      changed = { ...result, outcome: readOutcome({ content: output }) };
    };
    const kept = (change: Change) => (change.output === undefined || change.output === outcome.content ? undefined : asChanged(change));
    await stopAt(stopping, { ...place, stop: 'tool_answer' }, stop, apply, kept);
    return changed;
  }

  return async (step, calls, steps = request.steps) => {
    const stopping: Stopping = { ...stoppingOf(turn, gate), ...(steps && { steps }) };
    const names = namesOfCalls(step, calls);
    const places = calls.map((_, index): StopPlace => ({ stop: 'tool', step, call: (names[index] ?? '').slice(`${step}/`.length) }));
    const entries: (AskedCall | CallResult)[] = [];
    for (const [index, call] of calls.entries()) entries.push(await before(stopping, places[index] as StopPlace, call));
    const made = entries.filter((entry): entry is AskedCall => !('outcome' in entry));
    const answered = made.length === 0 ? [] : await callTools(step, made, steps);
    const results: CallResult[] = [];
    for (const [index, entry] of entries.entries()) {
      if ('outcome' in entry) results.push(entry);
      else {
        const result = answered[made.indexOf(entry)];
        if (!result) throw new Error('A call has no result.');
        results.push(await after(stopping, places[index] as StopPlace, result));
      }
    }
    return results;
  };
}

function asChanged(change: Change): KeptChange {
  const { messages: _none, ...changed } = change;
  return changed;
}
