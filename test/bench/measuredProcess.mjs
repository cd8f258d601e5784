// A program in a process of its own, with its CPU time and its memory.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const hook = join(import.meta.dirname, 'processUsage.cjs');

/**
 * @param codes exit codes that mean success
 * @returns what it printed, its CPU time (user and system) in ms, and the most memory it ever held, in MiB
 */
export function runMeasured(args, { cwd, env = {}, codes = [0] }) {
  const folder = mkdtempSync(join(tmpdir(), 'agent-stack-bench-'));
  const file = join(folder, 'usage.json');
  const options = { cwd, env: { ...process.env, ...env, BENCH_USAGE_FILE: file }, maxBuffer: 1 << 30 };
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, ['--require', hook, ...args], options, (_, stdout, stderr) => {
      if (!codes.includes(child.exitCode)) {
        reject(new Error(`${args.join(' ')} ended with ${child.exitCode}: ${stderr.slice(0, 500)}`));
        return;
      }
      const usage = JSON.parse(readFileSync(file, 'utf8'));
      rmSync(folder, { recursive: true });
      resolve({ stdout, ...usage });
    });
  });
}
