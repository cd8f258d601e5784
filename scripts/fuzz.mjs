// `npm run fuzz [-- --documents N] [--seed N]`: random edits of valid files through the language service. A whole run (100,000 documents, the
// default) first runs in full the tests that `npm test` samples (test/support/effort.ts), and puts its result into docs/reliability.md; a shorter
// one only prints it.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import esbuild from 'esbuild';

const wholeRun = 100_000;
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { values } = parseArgs({ options: { documents: { type: 'string' }, seed: { type: 'string' } } });
const documents = toCount('documents', values.documents ?? String(wholeRun));
const seed = toCount('seed', values.seed ?? String(Math.floor(Math.random() * 2 ** 32)));

if (documents >= wholeRun) runSampledTests();
const fuzzDocuments = await loadFuzzer();
const started = performance.now();
console.log(`${documents.toLocaleString('en')} documents, seed ${seed}`);
const report = await fuzzDocuments({
  seed,
  documents,
  onProgress: (made) => console.log(`${made.toLocaleString('en')} after ${Math.round((performance.now() - started) / 1000)} s`),
});
const result = toMarkdown(report, (performance.now() - started) / 1000);
console.log(`\n${result}`);
if (documents >= wholeRun) {
  const file = join(root, 'docs/reliability.md');
  const [before] = readFileSync(file, 'utf8').split('<!-- measured -->');
  writeFileSync(file, `${before}<!-- measured -->\n\n${result}`);
}

/** Ends the run where one of them fails. */
function runSampledTests() {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts') && readFileSync(join(root, 'test', path), 'utf8').includes('support/effort.js'))
    .map((path) => join('test', path));
  const env = { ...process.env, TEST_EFFORT: 'all', TEST_SEED: String(seed) };
  const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...files], { cwd: root, env, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

/** The fuzzer is TypeScript: bundled as the server is, beside the packages it needs. */
async function loadFuzzer() {
  const folder = join(root, `node_modules/.cache/agent-stack-fuzz-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['test/fuzz/documentFuzzer.ts'],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    define: { 'process.env.AGENT_STACK_VERSION': '"fuzz"' },
    logLevel: 'warning',
  });
  try {
    return (await import(pathToFileURL(join(folder, 'documentFuzzer.mjs')).href)).fuzzDocuments;
  } finally {
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  }
}

function toCount(name, text) {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count >= 0) return count;
  console.error(`--${name} takes a whole number, not ${text}.`);
  return process.exit(2);
}

function toMarkdown({ edits, validDocuments, diagnostics, codes, requests }, seconds) {
  const count = (number) => number.toLocaleString('en');
  const asked = Object.entries(requests).sort(([left], [right]) => (left < right ? -1 : 1));
  const total = asked.reduce((sum, [, number]) => sum + number, 0);
  const machine = `Node ${process.versions.node}, ${cpus()[0]?.model.trim() ?? 'an unknown processor'}`;
  return `On ${new Date().toISOString().slice(0, 10)}, ${machine}, one process, ${count(Math.round(seconds))} s: **${count(documents)} documents, no crash, no difference.** Seed ${seed}.

| | |
|---|---:|
| documents, each compared with a fresh start over the whole project | ${count(documents)} |
| of them valid JSON | ${count(validDocuments)} |
| edits, sent as ranges | ${count(edits)} |
| diagnostics in the edited files | ${count(diagnostics)} |
| different codes among all diagnostics | ${codes.length} |
| requests for other features | ${count(total)} |

Requests by method: ${asked.map(([method, number]) => `${method.replace('textDocument/', '')} ${count(number)}`).join(', ')}.
`;
}
