import type { Stop } from '../agent/gate.js';
import { isObject, type Json, listOf, parseObject, pointerOf, valueAt } from '../json.js';
import { locate } from '../jsonText/locate.js';
import { jsonTextOf } from '../jsonText/promptText.js';
import { positionsIn } from '../jsonText/textPositions.js';
import { matchesTool } from '../tools/allowedTools.js';
import { Source, StackFrame } from './dapSdk.js';
import { agentOf, callWords } from './describeStop.js';
import { type DebuggedProject, readFile } from './launch.js';
import type { View } from './runControl.js';

type AgentStop = Exclude<Stop, { at: 'route' }>;

/** Where a frame is written: the first of its pointers that the file has. Undefined if no file has it. */
interface FramePlace {
  readonly file: string | undefined;
  /** In the file's value, which may have changed since the run began. */
  readonly pointers: (value: Json) => readonly string[];
}

/**
 * The stack at a stop, innermost first: call, plan steps, agent and its callers, task, team, orchestration, each at its place in the files.
 * The innermost frame of the file with the breakpoint that stopped the run is there.
 */
export async function framesAt(
  opened: DebuggedProject,
  orchestration: string | undefined,
  { moment: { stop, breakpoint: hit }, answer }: View,
): Promise<StackFrame[]> {
  const index = await opened.project.index();
  const frames: StackFrame[] = [];
  const add = async (name: string, { file, pointers }: FramePlace) => {
    const text = file === undefined ? undefined : await readFile(opened, file);
    const id = frames.length + 1;
    if (file === undefined || text === undefined) return void frames.push(new StackFrame(id, name));
    const path = opened.toPath(file);
    const isHit = path === hit?.path && frames.every(({ source }) => source?.path !== path);
    frames.push(new StackFrame(id, name, new Source(file, path), isHit ? hit.line : lineOf(file, text, pointers), 1));
  };
  const agentFile = (name: string) => index.ids('agent').get(name);

  if (stop.at !== 'route') {
    const agent = agentOf(stop);
    const { resolved } = stop.agent;
    const file = agentFile(agent) ?? index.ids('persona').get(resolved.config.version);
    await add(`${agent}: ${callWords(stop, answer !== undefined)}`, placeOfCall(stop, file));
    if (stop.plan_step !== undefined) await add(`step ${stop.plan_step}`, { file, pointers: nameOfStep(stop.plan_step) });
    await add(agent, { file, pointers: () => ['/agent_name', '/system_text'] });
    for (let at = stop.callers.length - 1; at >= 0; at -= 1) {
      const [caller = '', step = ''] = [stop.callers[at], stop.caller_steps[at]];
      await add(`step ${step}`, { file: agentFile(caller), pointers: nameOfStep(step) });
      await add(caller, { file: agentFile(caller), pointers: () => ['/agent_name'] });
    }
  }
  const { team, task } = stop;
  if (orchestration === undefined || team === undefined) return frames;
  const file = index.ids('orchestration').get(orchestration);
  if (stop.at === 'route') {
    const rule = stop.rule === null ? ['default'] : ['rules', stop.rule];
    await add(`route of ${team}`, { file, pointers: () => [pointerOf('teams', team, 'routing', ...rule)] });
  } else if (task !== undefined) {
    await add(`task ${task}`, { file, pointers: (value) => namedIn(value, pointerOf('teams', team, 'tasks'), task, '/name') });
  }
  await add(`team ${team}`, { file, pointers: () => [pointerOf('teams', team)] });
  await add(orchestration, { file, pointers: () => ['/name'] });
  return frames;
}

/** A model call is at the text that it sends, an answer at what it has to be, a tool call at what gives the agent the tool. */
function placeOfCall(stop: AgentStop, file: string | undefined): FramePlace {
  const { plan_step: step } = stop;
  const { resolved } = stop.agent;
  const { origins } = resolved;
  const originOf = (pointer: string): FramePlace | undefined => {
    const exact = origins.get(pointer);
    const origin = exact ?? [...origins].find(([each]) => each.startsWith(`${pointer}/`))?.[1];
    if (origin === undefined || origin.file === null) return undefined;
    const at = exact ? origin.pointer : origin.pointer.slice(0, origin.pointer.indexOf(pointer) + pointer.length);
    return { file: origin.file, pointers: () => [at] };
  };
  const texts = ['/template', '/system_text', '/purpose_text', '/user_text'];
  const first = (pointers: readonly string[]) =>
    pointers.map(originOf).find((place) => place !== undefined) ?? { file, pointers: () => texts };

  switch (stop.at) {
    case 'model':
    case 'finding':
    case 'answer':
      if (step !== undefined) return { file, pointers: (value) => namedIn(value, planSteps, step, '/llm') };
      return first(stop.at === 'model' ? texts : ['/output_schema', ...texts]);
    case 'tool':
    case 'tool_answer': {
      const { tool } = stop;
      const entry = resolved.config.enabled_tools?.findIndex((each) => tool !== undefined && matchesTool(each, tool)) ?? -1;
      if (entry >= 0) return first([pointerOf('enabled_tools', entry), '/enabled_tools']);
      const { mcp } = resolved.tool_files;
      const origin = tool?.origin;
      if (origin?.type === 'mcp' && mcp !== null) return { file: mcp, pointers: () => [pointerOf('servers', origin.client_id)] };
      if (step !== undefined) return { file, pointers: (value) => namedIn(value, planSteps, step, '/skill') };
      return first(['/client_ids', ...texts]);
    }
  }
}

const planSteps = '/execution_plan/steps';

function nameOfStep(step: string): FramePlace['pointers'] {
  return (value) => namedIn(value, planSteps, step, '/name');
}

/** A part of the member of a list that has a name. */
function namedIn(value: Json, list: string, name: string, part: string): readonly string[] {
  const index = listOf(valueAt(value, list)).findIndex((each) => isObject(each) && each.name === name);
  return index < 0 ? [] : [`${list}/${index}${part}`];
}

function lineOf(file: string, text: string, pointersIn: FramePlace['pointers']): number {
  const { json, toFile } = jsonTextOf(file, text);
  const pointers = pointersIn(parseObject(json) ?? {});
  const located = locate(json, pointers);
  const range = pointers.map((pointer) => located.get(pointer)).find((each) => each !== undefined);
  return range === undefined ? 1 : positionsIn(text)(toFile(json === text ? (range.key ?? range.value).start : range.value.start + 1)).line;
}
