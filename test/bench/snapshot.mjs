// Snapshots of an agent and of an orchestration, from parsed files to frozen, named bytes with the origin of every leaf.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { median, valueRow } from './report.mjs';
import { buildSources } from './sources.mjs';

const rounds = 5;

export async function run() {
  const sources = buildSources({
    'core/config/loadProjectIndex.ts': ['loadProjectIndex'],
    'core/node/nodePorts.ts': ['createNodePorts'],
    'core/snapshot/createSnapshot.ts': ['createSnapshot'],
    'core/snapshot/resolveAgent.ts': ['resolveAgent'],
    'core/snapshot/resolveOrchestration.ts': ['resolveOrchestration'],
  });
  const measured = [];
  for (let round = 0; round < rounds; round++) {
    const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'snapshotClient.mjs'), sources]);
    measured.push(JSON.parse(stdout));
  }
  const of = (subject, part) => median(measured.map((one) => one[subject][part]));
  const rows = [
    valueRow('an agent with 5 layers and call overrides', of('agent', 'all'), 'ms', { atMost: 1 }),
    valueRow('of that: layers', of('agent', 'resolved'), 'ms', {}),
    valueRow('of that: canonical JSON and SHA-256', of('agent', 'frozen'), 'ms', {}),
    valueRow('of that: origins', of('agent', 'origins'), 'ms', {}),
    valueRow('an orchestration of 100 teams, 200 tasks', of('orchestration', 'all'), 'ms', { atMost: 25 }),
    valueRow('of that: layers', of('orchestration', 'resolved'), 'ms', {}),
    valueRow('of that: canonical JSON and SHA-256', of('orchestration', 'frozen'), 'ms', {}),
    valueRow('of that: origins', of('orchestration', 'origins'), 'ms', {}),
    valueRow('the same, the first time in a process', of('orchestration', 'first'), 'ms', {}),
  ];
  const { bytes, leaves } = measured[0].orchestration;
  return {
    title: 'Snapshots',
    rows,
    notes: [
      `From parsed files in memory, every layer (system, environment, llm profile, persona, agent or task, call) validated, laid over each other and expanded, to the canonical text, its hash, and the origin of every leaf. The snapshot of the orchestration has ${(bytes / 1024).toFixed(0)} KiB and ${leaves} leaves. No layer has a problem, and the hash is the same in every round. Medians of ${rounds} processes.`,
    ],
  };
}
