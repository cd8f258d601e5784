// Spawn to exit of `agent-stack --version`, against Node doing nothing at all.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { median, ratioRow } from './report.mjs';

const root = join(import.meta.dirname, '../..');

export async function run() {
  const peers = {
    'node -e 0': ['-e', '0'],
    'agent-stack --version': [join(root, 'dist/cli.cjs'), '--version'],
  };
  verify(peers['agent-stack --version']);
  const times = Object.fromEntries(Object.keys(peers).map((name) => [name, []]));
  for (let round = 0; round < 31; round++) {
    for (const [name, args] of Object.entries(peers)) {
      const start = process.hrtime.bigint();
      spawnSync(process.execPath, args);
      if (round > 0) times[name].push(Number(process.hrtime.bigint() - start) / 1e6);
    }
  }
  const ours = median(times['agent-stack --version']);
  const bare = median(times['node -e 0']);
  return { title: 'Start of the command', rows: [ratioRow('`agent-stack --version` / `node -e 0`, ms', ours, bare, { atMost: 1.3 })] };
}

function verify(args) {
  const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0 || !/^\d+\.\d+\.\d+\n$/.test(stdout))
    throw new Error(`agent-stack --version printed ${JSON.stringify(stdout)} and exited with ${status}`);
}
