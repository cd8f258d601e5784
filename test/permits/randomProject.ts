// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these configs hold placeholders.
import { isObject, type Json, type JsonObject, listOf } from '../../core/json.js';
import type { Labels } from './explorer.js';
import { type PermitFiles, servers } from './support.js';

/** A small project: some servers, agents that loop, answer once or follow a plan, and an orchestration. */
export function randomProject(random: () => number): PermitFiles {
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;
  const chance = (part: number) => random() < part;
  const some = <T>(from: readonly T[], part = 0.5): T[] => from.filter(() => chance(part));
  const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));

  const usual: Readonly<Record<string, Readonly<Record<string, Labels>>>> = {
    hub: { search: { reads: 'public', untrusted: true }, issue: { reads: 'private', untrusted: true }, close: { changes: true } },
    mail: { send: { sends: true }, inbox: { reads: 'private', untrusted: true } },
    notes: { save: { changes: true }, list: { reads: 'private' }, wipe: { destroys: true } },
    shell: { run: { runs_code: true, reads: 'private' } },
    fs: { write: { changes: true }, get: { reads: 'private' } },
    tidy: { search: {}, format: {} },
  };
  const anyLabels = (): Labels => ({
    ...(chance(0.4) && { reads: pick(['public', 'private'] as const) }),
    ...Object.fromEntries(some(['untrusted', 'sends', 'changes', 'destroys', 'runs_code'], 0.2).map((label) => [label, true])),
  });
  const missing = chance(0.3) ? 0.25 : 0;
  const chosen = Object.keys(usual).filter(() => chance(0.6));
  const labels = Object.fromEntries(
    chosen.map((id) => [
      id,
      Object.fromEntries(
        Object.entries(usual[id] ?? {}).map(([name, does]) => [name, chance(missing) ? null : chance(0.15) ? anyLabels() : does]),
      ),
    ]),
  ) as Parameters<typeof servers>[0];
  const base = servers(labels);
  const late = chance(0.15) ? { late: { command: 'late' } } : {};
  const mcp = {
    servers: {
      ...(base.mcp?.servers as JsonObject),
      ...(chosen.includes('fs') && { fs: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '.'] } }),
      ...late,
    },
  };
  const toolNames = chosen.flatMap((id) => Object.keys(usual[id] ?? {}).flatMap((name) => [name, `${id}_${name}`]));

  const leaf = (): Json =>
    pick<Json>([
      { enum: ['a', 'b'] },
      { type: 'string', enum: ['a', 'b'] },
      { type: 'string' },
      { type: 'string', maxLength: 5000 },
      { type: 'number' },
      { type: ['boolean', 'null'] },
      { const: 'a' },
      { $ref: '#/definitions/label' },
      { $ref: '#/definitions/text' },
      { anyOf: [{ enum: ['a', 'b'] }, { type: 'null' }] },
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
      { allOf: [{ type: 'string' }, { enum: ['a', 'b'] }] },
      {},
      true,
    ]);
  const objectSchema = (depth: number): JsonObject => {
    const properties = Object.fromEntries(some(['label', 'text', 'part', 'list'], 0.7).map((name) => [name, part(name, depth)]));
    return {
      ...(chance(0.9) && { type: 'object' }),
      properties,
      ...(chance(0.7) && { additionalProperties: pick<Json>([false, false, false, { type: 'number' }, { type: 'string' }]) }),
      ...(chance(0.4) && { required: Object.keys(properties) }),
    };
  };
  const part = (name: string, depth: number): Json => {
    if (name === 'label' && chance(0.7)) return { enum: ['a', 'b'] };
    if (name === 'part' && depth < 2) return chance(0.2) ? { anyOf: [objectSchema(depth + 1), { type: 'null' }] } : objectSchema(depth + 1);
    if (name === 'list') {
      const items = chance(0.3) && depth < 2 ? objectSchema(depth + 1) : leaf();
      return { ...(chance(0.85) && { type: 'array' }), items };
    }
    return leaf();
  };
  const schema = (): JsonObject => ({
    ...objectSchema(0),
    type: 'object',
    definitions: { label: { enum: ['a', 'b'] }, text: { type: 'string' } },
  });

  // Where agents share little, each carrier counts.
  const isSparse = chance(0.6);
  const clients = (): string[] => [
    ...some(chosen, isSparse ? 0.25 : 0.6),
    ...(chance(0.5) ? Object.keys(late) : []),
    ...(chance(0.02) ? ['${SERVER}'] : []),
  ];
  const tooled = (): JsonObject => ({
    client_ids: clients(),
    ...(chance(isSparse ? 0.8 : 0.4) && {
      enabled_tools: some([...toolNames, 'calculator', 'read_file', 'read_resource'], isSparse ? 0.2 : 0.35),
    }),
    ...(chance(0.25) && { exclude_components: some(toolNames, 0.2) }),
  });
  const common = (agent_name: string): JsonObject => ({
    agent_name,
    version: 'v1',
    model_name: 'gpt-4.1-mini',
    ...(chance(0.25) && { include_history: true }),
  });
  const single = (name: string): JsonObject =>
    chance(0.5)
      ? { ...common(name), agent_type: 'single_shot', mode: 'Writer', system_text: 's', purpose_text: 'p', output_schema: schema() }
      : {
          ...common(name),
          agent_type: 'single_shot',
          system_text: 's',
          ...(chance(0.5) && { user_text: pick(['{{input.k}}', 'Say: {{input.m}}', 'Say it.']) }),
          ...(chance(0.5) && { output_schema: schema() }),
        };
  const react = (name: string): JsonObject => ({
    ...common(name),
    agent_type: 'react',
    system_text: 's',
    ...tooled(),
    ...(chance(0.8) && { output_schema: schema() }),
  });

  /** A path into what an agent answers: nearly always one that may be there. */
  const fieldOf = (agent: JsonObject | undefined): string => {
    if (chance(0.01)) return anyField();
    const { output_schema } = agent ?? {};
    return isObject(output_schema) ? pick(['', '', ...pathsIn(output_schema, output_schema, 0)]) : '';
  };
  const anyField = () =>
    pick(['', '', '.label', '.label', '.text', '.text', '.part', '.part.label', '.part.text', '.list', '.list.0', '.more', '.0']);
  const templates = (paths: readonly string[]) => {
    const path = () => pick(paths.length > 0 ? paths : ['input.k']);
    const one = (): Json => {
      const whole = `{{${path()}}}`;
      return pick<Json>([whole, whole, whole, `So: ${whole}`, 'fixed', 1, { in: whole }, [whole], { label: 'a', text: whole }]);
    };
    return { one, object: (): JsonObject => Object.fromEntries(some(['k', 'm'], 0.8).map((key) => [key, one()])) };
  };

  const planAgent = (name: string, callable: readonly string[]): JsonObject => {
    const steps: JsonObject[] = [];
    const stepField = ({ skill, agent }: JsonObject) =>
      skill !== undefined ? anyField() : typeof agent === 'string' ? fieldOf(files[`agents/${agent.split('@')[0]}/v1`]) : '';
    const outputs = () => [
      ...(chance(0.1) ? ['input.k'] : []),
      'input',
      'steps',
      ...steps.flatMap((step) => times(3, () => `steps.${step.name}.output${stepField(step)}`)),
    ];
    for (let index = 0; index < 1 + below(4); index += 1) {
      const { object } = templates(outputs());
      const work = pick(['skill', 'skill', 'agent', 'llm']);
      const does: JsonObject =
        work === 'llm'
          ? { llm: `Do {{${pick(outputs())}}}` }
          : work === 'agent' && callable.length > 0
            ? { agent: `${pick(callable)}@v1`, ...(chance(0.8) && { input: chance(0.05) ? '{{input}}' : object() }) }
            : {
                skill: toolNames.length > 0 ? pick(toolNames) : 'calculator',
                ...(chance(0.9) && { input: chance(0.05) ? '{{input}}' : object() }),
              };
      const before = steps.at(-1);
      steps.push({
        name: `s${index}`,
        ...does,
        ...(before && chance(0.2) && { when: { step: before.name as string, status: pick(['success', 'failure']) } }),
        ...(chance(0.15) && { repeat: { until: { step: `s${index}`, output_field: 'label', operator: 'equals', value: 'a' }, max: 2 } }),
        ...(chance(0.4) && { on_error: 'continue' }),
      });
    }
    const { one, object } = templates(outputs());
    return {
      ...common(name),
      agent_type: 'orchestrating',
      ...tooled(),
      client_ids: chance(0.8) ? chosen : clients(),
      ...(chance(0.8) && { enabled_tools: undefined as unknown as Json }),
      execution_plan: { steps, ...(chance(0.6) && { output: chance(0.5) ? one() : { ...object(), label: one(), text: one() } }) },
      ...(chance(0.3) && { output_schema: schema() }),
    };
  };

  const files: Record<string, JsonObject> = { ...base, mcp };
  const names = ['A', 'B', 'C'].slice(0, 2 + below(2));
  for (const name of names) files[`agents/${name}/v1`] = chance(0.6) ? react(name) : single(name);
  if (chance(0.6)) files['agents/P/v1'] = planAgent('P', names);
  if (chance(0.25))
    files['agents/Q/v1'] = planAgent(
      'Q',
      [...names, 'P', 'Q'].filter((name) => `agents/${name}/v1` in files || name === 'Q'),
    );

  if (chance(0.75)) {
    const all = Object.keys(files).flatMap((path) => (path.startsWith('agents/') ? [path.split('/')[1] as string] : []));
    const teams = times(1 + below(4), (index) => `t${index}`);
    const hasContext = chance(0.6);
    const teamOf = (team: string): JsonObject => {
      const tasks: JsonObject[] = [];
      const outputs = () => [
        'context',
        ...(hasContext || chance(0.1) ? ['context.k', 'context.m'] : []),
        ...(chance(0.05) ? ['context.k.label'] : []),
        'input',
        'tasks',
        ...tasks.flatMap(({ name, agent }) =>
          times(5, () => `tasks.${name}.output${fieldOf(files[`agents/${(agent as string).split('@')[0]}/v1`])}`),
        ),
      ];
      for (let index = 0; index < 1 + below(2); index += 1) {
        const { object } = templates(outputs());
        tasks.push({ name: `w${index}`, agent: `${pick(all)}@v1`, ...(chance(0.7) && { input: chance(0.1) ? '{{context}}' : object() }) });
      }
      const condition = (): Json =>
        pick<Json>([
          { task: pick(tasks).name as string, status: pick(['success', 'failure']) },
          { task: pick(tasks).name as string, output_field: 'label', operator: 'equals', value: pick(['a', 'b', 'z']) },
          { context_field: pick(['k', 'm']), operator: 'exists' },
          { not: { context_field: 'k', operator: 'equals', value: 'fixed' } },
          {
            any: [
              { context_field: 'm', operator: 'equals', value: 'fixed' },
              { task: pick(tasks).name as string, status: 'success' },
            ],
          },
        ]);
      const { object } = templates(outputs());
      const rules = times(below(3), () => ({
        condition: condition(),
        next_team: chance(0.2) ? null : pick(teams),
        ...(chance(0.7) && { context_updates: object() }),
      }));
      return { name: team, tasks, routing: { ...(rules.length > 0 && { rules }), default: chance(0.5) ? null : pick(teams) } };
    };
    files['orchestrations/flow'] = {
      name: 'flow',
      entry_team: 't0',
      ...(hasContext && { context: { k: pick<Json>(['start', { label: 'a' }]), m: 'start' } }),
      teams: Object.fromEntries(teams.map((team) => [team, teamOf(team)])),
    };
  }
  return files;
}

/** Paths at which an answer may have something. */
function pathsIn(schema: Json | undefined, root: JsonObject, depth: number): readonly string[] {
  if (!isObject(schema) || depth > 3) return [];
  const { $ref, properties, items, anyOf } = schema;
  if (typeof $ref === 'string') return pathsIn((root.definitions as JsonObject)[$ref.split('/').at(-1) as string], root, depth + 1);
  const under = (name: string, part: Json) => [`.${name}`, ...pathsIn(part, root, depth + 1).map((path) => `.${name}${path}`)];
  return [
    ...Object.entries(isObject(properties) ? properties : {}).flatMap(([name, part]) => under(name, part)),
    ...(items === undefined ? [] : under('0', items)),
    ...listOf(anyOf).flatMap((part) => pathsIn(part, root, depth + 1)),
  ];
}
