import type { AgentTarget } from '../config/agentReference.js';
import { routingOf, type TaskPart, type TeamPart, tasksIn, teamsIn } from '../config/orchestrationParts.js';
import type { ProjectIndex } from '../config/projectIndex.js';
import { type Json, type JsonObject, pointerOf } from '../json.js';
import type { Environment } from '../ports.js';
import { resolveReference } from './agentReferences.js';
import type { LayerProblem, Origin } from './effective.js';
import type { Path } from './layering.js';
import { settle } from './settle.js';
import type { FrozenTask, FrozenTeam } from './snapshotValue.js';

/** A task as it will be in the snapshot, and what its agent is resolved from. */
export interface SettledTask {
  readonly part: TaskPart;
  readonly frozen: FrozenTask;
  /** The agent file of a task that uses one, if it exists. */
  readonly target: AgentTarget | undefined;
}

export interface SettledTeam {
  readonly part: TeamPart;
  readonly frozen: FrozenTeam;
  readonly tasks: readonly SettledTask[];
}

export interface SettleRequest {
  /** The orchestration's file. */
  readonly file: { readonly path: string; readonly value: JsonObject };
  readonly project: ProjectIndex;
  readonly variables: Environment;
  readonly report: (problem: LayerProblem) => void;
}

/** The teams of an orchestration with placeholders expanded and agents named by `name@version`. What is not a team or a task is left out. */
export function settleTeams(request: SettleRequest): readonly SettledTeam[] {
  return teamsIn(request.file.value).map((part) => {
    const tasks = tasksIn(part).flatMap((task) => settleTask(task, request));
    const { name, max_recursion_depth } = part.value;
    const frozen = {
      name: settleIn(name ?? part.id, `${part.pointer}/name`, request),
      ...(typeof max_recursion_depth === 'number' && { max_recursion_depth }),
      tasks: Object.freeze(tasks.map((task) => task.frozen)),
      routing: settleIn(routingOf(part.value), `${part.pointer}/routing`, request),
    };
    // The parts are those of the file's own schema, which has been checked; a file that breaks it has problems and does not run.
    return { part, frozen: Object.freeze(frozen) as unknown as FrozenTeam, tasks };
  });
}

function settleTask(part: TaskPart, request: SettleRequest): readonly SettledTask[] {
  const { name, value, pointer } = part;
  if (name === undefined) return [];
  const settled = (field: string) => {
    const written = Object.hasOwn(value, field) ? value[field] : undefined;
    return written === undefined ? undefined : settleIn(written, `${pointer}/${field}`, request);
  };
  const reference = settled('agent');
  const originOf = (): Origin => ({ file: request.file.path, pointer: `${pointer}/agent`, layer: 'orchestration' });
  const target = typeof reference === 'string' ? resolveReference(reference, request.project, originOf, request.report) : undefined;
  const fields: [string, Json | undefined][] = [
    ['name', name],
    ['agent', target?.id ?? reference],
    ['persona_key', settled('persona_key')],
    ['input', settled('input')],
    ['depends_on', settled('depends_on')],
    ['required', settled('required')],
  ];
  const frozen = Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  // As above: the schema has been checked.
  return [{ part, frozen: Object.freeze(frozen) as unknown as FrozenTask, target }];
}

/** A value of the orchestration's file with its placeholders expanded, frozen. */
export function settleIn(value: Json, pointer: string, { file, variables, report }: SettleRequest): Json | undefined {
  const originAt = (path: Path): Origin => ({ file: file.path, pointer: pointer + pointerOf(...path.slice(1)), layer: 'orchestration' });
  return settle(value, pointer === '/context' ? 'context' : 'teams', { variables, originAt, report });
}
