// `agent-stack diff` on a project of 200 agents, in a repository made for it, beside `git diff` and `git diff --word-diff` of the same change.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { agents, changes, makeRepository, orchestrations, reset } from './diffCorpus.mjs';
import { median, ratioRow, valueRow } from './report.mjs';

const cli = join(import.meta.dirname, '../../dist/cli.cjs');
const rounds = 5;
/** ms, of the issue: a project of 200 agents in under 3 s. */
const goal = 3000;

const ours = [process.execPath, ['--require', join(import.meta.dirname, 'cpuTime.cjs'), cli, 'diff', '--json']];
const gitDiff = ['git', ['diff', '--word-diff']];

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'agent-stack-diff-'));
  try {
    makeRepository(folder);
    const rows = [];
    const loads = [];
    for (const [name, { make, reaches }] of Object.entries(changes)) {
      make(folder);
      const times = { ours: [], cpu: [], git: [] };
      for (let round = 0; round <= rounds; round++) {
        const [mine, theirs] = [await execute(...ours, folder), await execute(...gitDiff, folder)];
        if (round === 0) verify(name, mine.stdout, reaches);
        else {
          times.ours.push(mine.wall);
          times.cpu.push(mine.cpu);
          times.git.push(theirs.wall);
          loads.push(loadavg()[0]);
        }
      }
      reset(folder);
      rows.push(valueRow(`${name} (${Math.round(median(times.cpu))} ms of CPU)`, median(times.ours), 'ms', { atMost: goal }));
      rows.push(ratioRow(`${name}, ms / \`git diff --word-diff\``, median(times.ours), median(times.git), {}));
    }
    const version = execFileSync('git', ['--version'], { encoding: 'utf8' }).trim();
    return {
      title: 'Diff',
      rows,
      notes: [
        `Wall time from start to exit, median of ${rounds} interleaved runs, each a process of its own. ${agents} agents, ${orchestrations} orchestrations of five of them each, 50 files of cases and two environments, so that each subject is compared twice; committed to a repository, and changed in its working tree. How many agents and orchestrations change is checked in the first round, which is not counted. The peer is ${version}, which shows lines and not what they do. ${availableParallelism()} cores with a load of ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)} meanwhile.`,
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function verify(name, stdout, reaches) {
  const { summary, unchanged, not_compared } = JSON.parse(stdout);
  const reached = { agents: summary.agents, orchestrations: summary.orchestrations };
  if (JSON.stringify(reached) !== JSON.stringify(reaches)) throw new Error(`${name}: ${JSON.stringify(reached)} changed`);
  if (reached.agents + reached.orchestrations + unchanged !== agents + orchestrations) throw new Error(`${name}: not all were compared`);
  if (not_compared.length > 0) throw new Error(`${name}: ${JSON.stringify(not_compared)} was not compared`);
}

function execute(file, args, cwd) {
  return new Promise((resolve, reject) => {
    const start = process.hrtime.bigint();
    const child = spawn(file, args, { cwd, stdio: ['ignore', 'pipe', 'inherit', 'pipe'] });
    let stdout = '';
    let cpu = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      stdout += chunk;
    });
    child.stdio[3].setEncoding('utf8').on('data', (chunk) => {
      cpu += chunk;
    });
    child.on('error', reject);
    child.on('close', () => resolve({ stdout, wall: Number(process.hrtime.bigint() - start) / 1e6, cpu: Number(cpu) }));
  });
}
