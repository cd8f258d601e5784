// What 500 agents and the orchestrations over them may do, and the proof of a policy, beside reading their files.
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { median, ratioRow, valueRow } from './report.mjs';

const root = join(import.meta.dirname, '../..');
const agentCount = 500;
const serverCount = 40;
const rounds = 7;
const policy = {
  never: [
    { from: 'untrusted', to: 'sends' },
    { from: 'private', to: 'sends', without: 'approval' },
    { from: 'untrusted', to: 'runs_code' },
    { from: 'server1/read', to: 'server2/*' },
  ],
  only_after_approval: ['*/delete_*'],
  agents: { Agent7: { may_not: ['destroys', 'sends'] } },
};

const tools = {
  search: { reads: 'public', untrusted: true },
  read: { reads: 'private' },
  list: { reads: 'private' },
  send: { sends: true },
  write: { changes: true },
  delete_item: { destroys: true },
  run: { runs_code: true },
  count: {},
};

function projectFiles() {
  const ids = Array.from({ length: serverCount }, (_, number) => `server${number}`);
  const locked = Object.entries(tools).map(([name, labels]) => [
    name,
    { description: name, parameters: { type: 'object' }, hash: '0'.repeat(64), labels },
  ]);
  const output_schema = {
    type: 'object',
    properties: { label: { enum: ['a', 'b'] }, text: { type: 'string' } },
    required: ['label', 'text'],
    additionalProperties: false,
  };
  const files = {
    mcp: { servers: Object.fromEntries(ids.map((id) => [id, { command: id }])) },
    'mcp.lock': { format: 1, servers: Object.fromEntries(ids.map((id) => [id, { tools: Object.fromEntries(locked) }])) },
  };
  for (let number = 0; number < agentCount; number += 1) {
    const name = `Agent${number}`;
    files[`agents/${name}/v1`] = {
      agent_name: name,
      version: 'v1',
      agent_type: 'react',
      model_name: 'gpt-4.1-mini',
      system_text: 's',
      output_schema,
      client_ids: [ids[number % serverCount], ids[(number * 7 + 3) % serverCount]],
      ...(number % 3 === 0 && { exclude_components: ['run', 'delete_item'] }),
      ...(number % 5 === 0 && { include_history: true }),
    };
  }
  // Ten agents each, in five teams.
  for (let number = 0; number < agentCount / 10; number += 1) {
    const teams = Array.from({ length: 5 }, (_, team) => {
      const agent = (task) => `Agent${number * 10 + team * 2 + task}@v1`;
      return [
        `team${team}`,
        {
          name: `team${team}`,
          tasks: [
            { name: 'first', agent: agent(0), input: { seen: '{{context.seen}}' } },
            { name: 'second', agent: agent(1), input: { text: '{{tasks.first.output.text}}' } },
          ],
          routing: {
            rules: [
              {
                condition: { task: 'second', output_field: 'label', operator: 'equals', value: 'a' },
                next_team: `team${(team + 1) % 5}`,
                context_updates: { seen: team % 2 === 0 ? '{{tasks.second.output.label}}' : '{{tasks.second.output}}' },
              },
            ],
            default: null,
          },
        },
      ];
    });
    files[`orchestrations/flow${number}`] = {
      name: `flow${number}`,
      entry_team: 'team0',
      context: { seen: '' },
      teams: Object.fromEntries(teams),
    };
  }
  return files;
}

export async function run() {
  const { subjectsOf, projectPermits, provePolicy } = await loadPermits();
  const files = projectFiles();
  const texts = Object.values(files).map((file) => JSON.stringify(file));
  const parses = Array.from({ length: 21 }, () => {
    const before = process.cpuUsage();
    for (const text of texts) JSON.parse(text);
    return spentSince(before);
  });
  const parse = median(parses);
  const reading = [];
  const judging = [];
  let permits;
  for (let round = 0; round < rounds; round += 1) {
    // Read anew each time: what is worked out once for an agent is part of the time.
    const begin = process.cpuUsage();
    const subjects = [...(await subjectsOf(files)).values()];
    reading.push(spentSince(begin));
    const before = process.cpuUsage();
    permits = projectPermits({ subjects: subjects.map((subject) => ({ subject, file: '', problems: [] })), unread: [] }, policy);
    provePolicy(permits.graph, subjects, policy);
    judging.push(spentSince(before));
  }
  if (permits.subjects.length !== agentCount * 1.1 || permits.graph.tools.length < agentCount * 10)
    throw new Error(`${permits.subjects.length} subjects with ${permits.graph.tools.length} tools: the project was not read.`);
  return {
    title: 'Permissions of 500 agents',
    rows: [
      valueRow(
        `what ${agentCount} agents and ${agentCount / 10} orchestrations may do, each alone and all together, median`,
        median(judging),
        'ms of processor time',
        {
          atMost: 1000,
        },
      ),
      ratioRow('the same, and nothing but parsing their files', median(judging), parse, {}),
      valueRow('beside it: reading and resolving their files, median', median(reading), 'ms of processor time', {}),
    ],
    notes: [
      `${permits.graph.tools.length} tools, ${permits.graph.nodes.size} nodes, ${Object.keys(policy).length} kinds of assertions. Parsing all files took ${parse.toFixed(2)} ms.`,
    ],
  };
}

/** Milliseconds of processor time, which other programs of the machine do not lengthen. */
function spentSince(before) {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The room has no entry of its own in the package. */
async function loadPermits() {
  const outfile = join(root, 'node_modules/.cache/permits.bench.mjs');
  const contents = [
    `export { subjectsOf } from './test/permits/support.ts';`,
    `export { projectPermits } from './core/permits/projectPermits.ts';`,
    `export { provePolicy } from './core/permits/prove.ts';`,
  ].join('\n');
  buildSync({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    mainFields: ['module', 'main'],
    format: 'esm',
    logLevel: 'error',
    banner: { js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);` },
  });
  return import(outfile);
}
