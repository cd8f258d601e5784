import { tasksIn, teamsIn } from '../../core/config/orchestrationParts.js';
import { type JsonObject, pointerOf } from '../../core/json.js';
import type { Fix, FixContext } from './quickFix.js';
import { editFix } from './support.js';

/** Adds a team that a route names: with a task as another team has it, and an end of the run behind it. */
export function addTeamFix(context: FixContext, team: string): Fix | undefined {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(team)) return undefined;
  const known = teamsIn(context.file.value).flatMap(tasksIn);
  const [agent] = context.project.index.ids('agent').keys();
  const [persona] = context.project.index.ids('persona').keys();
  const example = known.find(({ value }) => typeof value.agent === 'string' || typeof value.persona_key === 'string')?.value;
  const work: JsonObject | undefined =
    example !== undefined
      ? {
          ...(typeof example.agent === 'string'
            ? { agent: example.agent }
            : { agent_type: example.agent_type ?? 'single_shot', persona_key: example.persona_key ?? '' }),
        }
      : agent !== undefined
        ? { agent }
        : persona === undefined
          ? undefined
          : { agent_type: 'single_shot', persona_key: persona };
  if (work === undefined) return undefined;
  const value: JsonObject = { name: team, tasks: [{ name: 'work', ...work }], routing: { default: null } };
  return editFix(context, `Add the team ${JSON.stringify(team)}`, (edit) => edit.set(pointerOf('teams', team), value));
}
