// A repository whose only commit is a project of 200 agents with orchestrations, cases and two environments, and the changes that are compared.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { agentPath, makeCorpus } from './checkCorpus.mjs';

export const agents = 200;
export const orchestrations = 20;
const teams = 5;
/** Files of `makeCorpus` that are no agent. */
const others = 23;

/** Writes the project into a folder and commits it. */
export function makeRepository(folder) {
  const written = makeCorpus(folder, { files: agents + others, faults: 'none' });
  if (written.files - others !== agents) throw new Error(`The corpus has ${written.files} files.`);
  edit(folder, 'agentstack.json', (settings) => ({
    ...settings,
    models: Object.fromEntries(
      Object.entries({ ...settings.models, llama: { context_window: 32768 } }).map(([name, model]) => [
        name,
        { ...model, price: { input: 0.25, output: 2 } },
      ]),
    ),
  }));
  write(folder, 'config/environments/prod.json', { agent_defaults: { timeout_ms: 20000, budget: { max_cost: 1 } } });
  for (let index = 0; index < agents; index += 4) {
    const { name } = nameOf(index);
    const cases = { input: { text: 'The invoice of May was paid twice.', context: 'A customer of four years.' } };
    write(folder, `config/payloads/${name}/${name}.json`, cases);
  }
  for (let index = 0; index < orchestrations; index++)
    write(folder, `config/orchestrations/flow_${index}.json`, makeOrchestration(folder, index));
  git(folder, 'init', '-q', '-b', 'main');
  git(folder, 'add', '.');
  git(folder, 'commit', '-q', '-m', 'first');
}

/** Puts back what is committed. */
export function reset(folder) {
  git(folder, 'checkout', '-q', '.');
}

/** Changes of the working tree by name, with how many agents and orchestrations each of them reaches. */
export const changes = {
  nothing: { make: () => undefined, reaches: { agents: 0, orchestrations: 0 } },
  'one agent': {
    make: (folder) => edit(folder, agentPath(0), (agent) => ({ ...agent, system_text: `${agent.system_text} Be kind.` })),
    reaches: { agents: 1, orchestrations: 1 },
  },
  'a layer of every agent': {
    make: (folder) =>
      edit(folder, 'config/system.json', ({ agent_defaults }) => ({ agent_defaults: { ...agent_defaults, retry_attempts: 4 } })),
    reaches: { agents, orchestrations },
  },
  'the model of every agent': {
    make: (folder) => {
      for (const profile of readdirSync(join(folder, 'config/llms')))
        edit(folder, `config/llms/${profile}`, (llm) => ({
          ...llm,
          model_name: llm.model_name === 'house-fast' ? 'house-small' : 'house-fast',
        }));
    },
    reaches: { agents, orchestrations },
  },
  'every prompt': {
    make: (folder) => {
      for (let index = 0; index < agents; index++)
        edit(folder, agentPath(index), (agent) => ({ ...agent, system_text: `${agent.system_text} Be kind.` }));
      for (const name of readdirSync(join(folder, 'config/prompts')))
        edit(folder, `config/prompts/${name}/v1.json`, (prompt) => ({ ...prompt, template: `${prompt.template} Be kind.` }));
    },
    reaches: { agents, orchestrations },
  },
  'a broken file': {
    make: (folder) => writeFileSync(join(folder, agentPath(0)), '{ "agent_name": '),
    reaches: { agents: 1, orchestrations: 1 },
  },
};

/** Teams of one task each, every one of an agent of its own, whose first field with listed values chooses the next team. */
function makeOrchestration(folder, index) {
  const used = Array.from({ length: teams }, (_, team) => index * teams + team);
  const names = Object.fromEntries(
    used.map((at, team) => {
      const { id, schema } = nameOf(at, folder);
      const [field, { enum: values }] = Object.entries(schema.properties).find(([, property]) => property.enum !== undefined) ?? [
        undefined,
        {},
      ];
      const next = team + 1 < teams ? `team_${team + 1}` : null;
      const rules =
        field === undefined
          ? []
          : [{ condition: { task: 'work', output_field: field, operator: 'equals', value: values[0] }, next_team: next }];
      const task = { name: 'work', agent: id, input: { text: '{{context.text}}', context: 'none' } };
      return [`team_${team}`, { name: `Team ${team}`, tasks: [task], routing: { rules, default: field === undefined ? next : null } }];
    }),
  );
  return { entry_team: 'team_0', context: { text: 'The invoice of May was paid twice.' }, max_total_teams: 10, teams: names };
}

function nameOf(index, folder) {
  const [, name, version] = /agents\/(.+)\/(.+)\.json$/.exec(agentPath(index));
  const schema = folder === undefined ? undefined : JSON.parse(readFileSync(join(folder, agentPath(index)), 'utf8')).output_schema;
  return { name, id: `${name}@${version}`, schema };
}

function edit(folder, path, change) {
  write(folder, path, change(JSON.parse(readFileSync(join(folder, path), 'utf8'))));
}

function write(folder, path, value) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), `${JSON.stringify(value, null, 2)}\n`);
}

function git(folder, ...args) {
  execFileSync('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', '-c', 'commit.gpgsign=false', ...args], {
    cwd: folder,
  });
}
