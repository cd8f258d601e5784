import { namesOf } from '../../config/toolChoice.js';
import { InputInvalidError, ToolExecutionError } from '../../errors.js';
import { isObject, type Json } from '../../json.js';
import { didYouMean, firstNames, nearestNames } from '../../names.js';
import type { Tool } from '../../tools/types.js';
import type { PlanRun } from './planRun.js';
import type { Execution, StepWork } from './stepWork.js';

/** Calls a tool of the run, by any of its names. @throws ToolExecutionError, InputInvalidError; as the tool caller, which ends the run */
export async function* skillStep(run: PlanRun, skill: string, renderInput: () => Json, { number, steps, begin }: Execution): StepWork {
  const tool = findTool(run.tools, skill);
  if (!tool) throw new ToolExecutionError(skill, unknownSkill(skill, run.tools));
  const input = renderInput();
  const id = `call_${number}`;
  begin(tool.name, input, id);
  if (!isObject(input)) {
    const message = `The skill ${JSON.stringify(skill)} takes a JSON object, but the step's input is ${JSON.stringify(input).slice(0, 100)}.`;
    throw new InputInvalidError(message, [{ path: '', keyword: 'type', message }]);
  }
  yield { type: 'tool_call', tool_calls: [{ id, name: tool.name, input }] };
  const [result] = await run.callTools(number, [{ id, name: tool.name, input }], steps);
  if (run.turn.request.gate) yield* run.turn.record.takeEdits();
  if (!result) throw new Error('A call has no result.');
  const { value, content, is_error, documents, hints } = result.outcome;
  yield { type: 'tool_result', tool_results: [{ id, name: tool.name, output: value, is_error }] };
  if (is_error) throw new ToolExecutionError(tool.name, content);
  return { output: value, usage: null, documents, source_quality: hints.source_quality };
}

/** The tool with this name in the run, else one with this name at its source. */
function findTool(tools: readonly Tool[], skill: string): Tool | undefined {
  return tools.find(({ name }) => name === skill) ?? tools.find((tool) => namesIn(tool).includes(skill));
}

function namesIn({ name, origin }: Tool): readonly string[] {
  return namesOf({ name, tool: { name: origin.type === 'mcp' ? origin.name : name, origin } });
}

function unknownSkill(skill: string, tools: readonly Tool[]): string {
  const names = tools.map(({ name }) => name);
  const others = names.length === 0 ? ' The run has none at all.' : ` There are ${firstNames(names)}.`;
  const nearest = nearestNames(skill, names);
  return `The run has no skill ${JSON.stringify(skill)}.${nearest.length > 0 ? didYouMean(nearest) : others}`;
}
