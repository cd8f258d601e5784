import type { Stop } from '../agent/gate.js';
import { pointerOf } from '../json.js';
import { locate } from '../jsonText/locate.js';
import { positionsIn } from '../jsonText/textPositions.js';
import { Source, StackFrame } from './dapSdk.js';
import { type DebuggedProject, readFile } from './launch.js';

/** The stack at a stop, innermost first: call, task, team, each at its place in the files. */
export async function framesAt(opened: DebuggedProject, orchestration: string | undefined, stop: Stop): Promise<StackFrame[]> {
  const frames: StackFrame[] = [];
  const add = async (name: string, kind: 'agent' | 'orchestration', id: string, pointers: readonly string[]) => {
    const index = await opened.project.index();
    const file = index.ids(kind).get(id);
    if (file === undefined) return void frames.push(new StackFrame(frames.length + 1, name));
    const text = (await readFile(opened, file)) ?? '';
    const located = locate(text, pointers);
    const range = pointers.map((pointer) => located.get(pointer)).find((each) => each !== undefined);
    const line = range === undefined ? 1 : positionsIn(text)((range.key ?? range.value).start).line;
    frames.push(new StackFrame(frames.length + 1, name, new Source(file, opened.toPath(file)), line, 1));
  };
  if (stop.at !== 'route') {
    const { agent_name, version } = stop.agent.resolved.config;
    const pointers = stop.at === 'tool' || stop.at === 'tool_answer' ? ['/enabled_tools'] : stop.at === 'answer' ? ['/output_schema'] : [];
    await add(frameName(stop), 'agent', `${agent_name}@${version}`, [...pointers, '/system_text', '/purpose_text']);
  }
  if (orchestration !== undefined && stop.team !== undefined) {
    if (stop.at === 'route') {
      const route = stop.rule === null ? ['default'] : ['rules', stop.rule];
      await add(`route of ${stop.team}`, 'orchestration', orchestration, [pointerOf('teams', stop.team, 'routing', ...route)]);
    } else await add(`task ${stop.task}`, 'orchestration', orchestration, [pointerOf('teams', stop.team, 'tasks')]);
    await add(`team ${stop.team}`, 'orchestration', orchestration, [pointerOf('teams', stop.team)]);
  }
  return frames;
}

function frameName(stop: Exclude<Stop, { at: 'route' }>): string {
  const { agent_name, version } = stop.agent.resolved.config;
  const what = { model: 'before call', answer: 'answer of call', tool: 'before tool', tool_answer: 'after tool' }[stop.at];
  const which = stop.at === 'tool' || stop.at === 'tool_answer' ? stop.call.name : stop.step;
  return `${agent_name}@${version}: ${what} ${which}`;
}
