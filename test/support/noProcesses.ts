import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

// What `npm run test:quick` runs starts no process. A test that needs one belongs into the list `startProcesses` of vitest.config.ts.
for (const name of ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork']) {
  Object.assign(childProcess, {
    [name]: (program: string) => {
      throw new Error(`${program} was to be started by a quick test: add its file to \`startProcesses\` in vitest.config.ts.`);
    },
  });
}
syncBuiltinESMExports();
