// Writes config/recordings, the answers that the sample project's tests are replayed with: `npm run sample:record`, after a change of what its agents
// send. The answers are those of scripts/sample/answers.json.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const recordings = join(root, 'config/recordings');
// Inside the repository, where packages are found.
const folder = mkdtempSync(join(root, 'dist/record-'));
try {
  const outfile = join(folder, 'record.mjs');
  await build({
    entryPoints: [join(root, 'scripts/sample/record.mjs')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  });
  const { recordSample, withoutTimes } = await import(pathToFileURL(outfile).href);
  rmSync(recordings, { recursive: true, force: true });
  const { cases, suites } = await recordSample(root, recordings);
  for (const path of readdirSync(recordings, { recursive: true }).filter((path) => path.endsWith('.jsonl')))
    withoutTimes(join(recordings, path));
  for (const { name, reasons } of suites.flatMap((suite) => suite.cases))
    for (const { reason } of reasons) console.error(`${name}: ${reason}`);
  console.log(`${cases.total} cases recorded, ${cases.passed} of them passed.`);
  if (cases.passed < cases.total) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
