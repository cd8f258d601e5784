import { cleanPartName } from './cleanName.js';
import type { Draft } from './draft.js';
import type { At } from './types.js';

/** An orchestration of agents one after the other: the first gets the message of the context, each other one what the one before it said. */
export function lineOfAgents(text: string, agents: readonly string[], at: At, draft: Draft): void {
  const name = draft.nameOf('orchestration', text, at);
  const taken: string[] = [];
  const tasks = agents.map((agent, index) => {
    const own = cleanPartName(agent, 'step');
    let task = own;
    for (let number = 2; taken.includes(task); number++) task = `${own.slice(0, 60)}_${number}`;
    const before = taken.at(-1);
    taken.push(task);
    return {
      name: task,
      agent: `${draft.nameOf('agent', agent, at)}@v1`,
      input: { message: before === undefined ? '{{context.message}}' : `{{tasks.${before}.output}}` },
      ...(index > 0 && before !== undefined && { depends_on: [before] }),
    };
  });
  draft.note(at, 'The agents run one after the other. The first gets the context field "message": give it as the input of the run.');
  draft.add(
    'orchestration',
    name,
    { name },
    { entry_team: 'steps', context: { message: '' }, teams: { steps: { name: text, tasks, routing: { default: null } } } },
    at,
  );
}
