// Spawn to exit of `agentstack --version`, against Node doing nothing at all.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { median, ratioRow } from './report.mjs';

const root = join(import.meta.dirname, '../..');

export async function run() {
  const peers = {
    'node -e 0': ['-e', '0'],
    'agentstack --version': [join(root, 'dist/cli.cjs'), '--version'],
  };
  verify(peers['agentstack --version']);
  const times = Object.fromEntries(Object.keys(peers).map((name) => [name, []]));
  for (let round = 0; round < 31; round++) {
    for (const [name, args] of Object.entries(peers)) {
      const start = process.hrtime.bigint();
      spawnSync(process.execPath, args);
      if (round > 0) times[name].push(Number(process.hrtime.bigint() - start) / 1e6);
    }
  }
  const ours = median(times['agentstack --version']);
  const bare = median(times['node -e 0']);
  return { title: 'Start of the command', rows: [ratioRow('`agentstack --version` / `node -e 0`, ms', ours, bare, { atMost: 1.3 })] };
}

function verify(args) {
  const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0 || !/^\d+\.\d+\.\d+\n$/.test(stdout))
    throw new Error(`agentstack --version printed ${JSON.stringify(stdout)} and exited with ${status}`);
}
