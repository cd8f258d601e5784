// The process of the snapshot benchmark, `snapshotClient.mjs <sources>`: prints the times it took, once it is warm, as JSON.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { median } from './report.mjs';
import { snapshotProject } from './snapshotProject.mjs';
import { loadSources } from './sources.mjs';

const teamCount = 100;
const { createNodePorts, createSnapshot, loadProjectIndex, resolveAgent, resolveOrchestration } = await loadSources(process.argv[2]);
const folder = snapshotProject(teamCount);
const read = (path) => JSON.parse(readFileSync(join(folder, path), 'utf8'));
const { files, sha256, environment: variables } = createNodePorts(folder);
const project = await loadProjectIndex(files);
const orchestrationPath = 'config/orchestrations/house.json';
const agents = new Map(
  Array.from({ length: 10 }, (_, number) => {
    const path = `config/agents/Reviewer${number}/v1.json`;
    return [`Reviewer${number}@v1`, { path, value: read(path) }];
  }),
);
const overrides = { config: { temperature: 0.5 } };

const subjects = {
  agent: {
    count: 400,
    resolve: (from) => {
      const file = agents.get('Reviewer1@v1');
      const resolved = resolveAgent({ agent_name: 'Reviewer1', version: 'v1', file, project: from, variables, overrides });
      return { kind: 'agent', resolved };
    },
  },
  orchestration: {
    count: 40,
    resolve: (from) => {
      const file = { path: orchestrationPath, value: orchestration };
      return { kind: 'orchestration', resolved: resolveOrchestration({ file, project: from, agents, variables }) };
    },
  },
};
const orchestration = read(orchestrationPath);

process.stdout.write(
  JSON.stringify(Object.fromEntries(Object.entries(subjects).map(([name, subject]) => [name, measure(subject, project)]))),
);

function measure({ resolve, count }, from) {
  const times = { resolved: [], frozen: [], origins: [], all: [] };
  const hashes = new Set();
  let last;
  for (let round = 0; round < count; round++) {
    const start = performance.now();
    const subject = resolve(from);
    const resolved = performance.now();
    const snapshot = createSnapshot({ ...subject, sha256 });
    const frozen = performance.now();
    const { origins_text } = snapshot;
    const end = performance.now();
    if (subject.resolved.problems.length > 0) throw new Error(`It has problems: ${subject.resolved.problems[0].message}`);
    times.resolved.push(resolved - start);
    times.frozen.push(frozen - resolved);
    times.origins.push(end - frozen);
    times.all.push(end - start);
    hashes.add(snapshot.hash);
    last = { text: snapshot.text, origins_text };
  }
  if (hashes.size !== 1) throw new Error(`The same files gave ${hashes.size} hashes.`);
  const warm = (values) => median(values.slice(count / 2));
  const result = Object.fromEntries(Object.entries(times).map(([name, values]) => [name, warm(values)]));
  const sizes = { bytes: Buffer.byteLength(last.text), leaves: Object.keys(JSON.parse(last.origins_text)).length };
  return { ...result, first: times.all[0], ...sizes };
}
