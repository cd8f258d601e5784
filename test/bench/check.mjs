// `agentstack check` on a large project against the least that could be done, an editor's JSON service and a fast linter.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCorpus } from './checkCorpus.mjs';
import { median, ratioRow, valueRow } from './report.mjs';

const here = import.meta.dirname;
const cli = join(here, '../../dist/cli.cjs');
const rounds = 15;
const size = 10_000;

const commands = {
  ours: (folder) => [process.execPath, [cli, 'check', '--project', folder, '--format', 'json']],
  plain: (folder) => [process.execPath, [join(here, 'checkPeers/plain.mjs'), folder]],
  service: (folder) => [process.execPath, [join(here, 'checkPeers/jsonLanguageService.mjs'), folder]],
  biome: (folder) => [biomeBinary(), ['lint', '--max-diagnostics=none', '.'], folder],
};

export async function run() {
  const scratch = mkdtempSync(join(tmpdir(), 'agent-stack-check-'));
  try {
    const small = corpus(join(scratch, 'small'), size / 2);
    const large = corpus(join(scratch, 'large'), size);
    const measured = await measure([
      ...Object.keys(commands).map((name) => ({ name, command: commands[name], ...large })),
      { name: 'half', command: commands.ours, ...small },
      { name: 'start', command: () => [process.execPath, [cli, 'explain', 'schema']], verify: () => undefined },
    ]);
    // In runs of its own, since looking takes a part of the second core, which of all these only ours and biome use.
    const memory = [];
    for (let round = 0; round < rounds; round++) memory.push(await peakMemory(...commands.ours(large.folder)));
    const time = (name) => median(measured[name].map(({ wall }) => wall));
    const ours = time('ours');
    return {
      title: `Checking ${size.toLocaleString('en')} files`,
      rows: [
        ratioRow('wall time, ms / walk + read + JSON.parse + compiled ajv', ours, time('plain'), { atMost: 1.5 }),
        ratioRow('wall time, ms / vscode-json-languageservice in process', ours, time('service'), { atMost: 0.5 }),
        ratioRow('wall time, ms / `biome lint`', ours, time('biome'), { atMost: 0.5 }),
        ratioRow('wall time without start, all files / half of them', ours - time('start'), time('half') - time('start'), { atMost: 2.2 }),
        valueRow('peak memory', median(memory), 'MiB', { atMost: 110 }),
      ],
      notes: [
        `Median of ${rounds} interleaved runs, each a process of its own, from start to exit; files in the page cache. A file has about 4 KB; 1 % are no JSON, 3 % break the schema, 1 % have an enum mismatch. Ours runs all rules and found exactly the planted faults in every run; the others look for fewer. ${availableParallelism()} cores: biome uses all of them, the others one.`,
      ],
    };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function corpus(folder, files) {
  const { planted } = makeCorpus(folder, { files });
  // A file of biome's own, so that it does not look for one above the folder.
  writeFileSync(join(folder, 'biome.json'), '{ "root": true }\n');
  const counts = (codes) => planted.filter(({ code }) => codes.includes(code)).length;
  const schema = counts(['schema']);
  const duplicates = counts(['duplicate-key']);
  const syntax = counts(['json-syntax', 'json-comment', 'trailing-comma', 'duplicate-key']);
  const verify = {
    ours: ({ status, stdout }) => {
      const report = JSON.parse(stdout);
      const found = report.findings.map(({ file, code, line }) => `${file}:${line} ${code}`).sort();
      const expected = planted.map(({ file, code, line }) => `${file}:${line} ${code}`).sort();
      if (status !== 1 || report.files !== files) throw new Error(`check ended with ${status} after ${report.files} files`);
      const missed = expected.filter((fault) => !found.includes(fault));
      const besides = found.filter((fault) => !expected.includes(fault));
      if (missed.length + besides.length > 0)
        throw new Error(`check missed ${missed.join(', ') || 'none'} and found besides ${besides.join(', ') || 'none'}`);
    },
    plain: ({ stdout }) => equal('plain', JSON.parse(stdout), { files, syntax: syntax - duplicates, schema }),
    service: ({ stdout }) => equal('the JSON service', JSON.parse(stdout), { files, faulty: syntax + schema }),
    biome: ({ status, stdout, stderr }) => {
      const checked = /Checked ([\d,]+) files/.exec(stdout + stderr)?.[1]?.replaceAll(',', '');
      if (status !== 1 || Number(checked) < files) throw new Error(`biome ended with ${status} after ${checked} files`);
    },
  };
  return { folder, verify };
}

function equal(who, found, expected) {
  if (JSON.stringify(found) !== JSON.stringify(expected))
    throw new Error(`${who} found ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`);
}

/** Every task once, verified, then all of them again and again, one after the other. */
async function measure(tasks) {
  const measured = Object.fromEntries(tasks.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const { name, command, folder, verify } of tasks) {
      const result = await execute(...command(folder));
      if (round === 0 || name === 'ours') (typeof verify === 'function' ? verify : verify[name === 'half' ? 'ours' : name])(result);
      if (round > 0) measured[name].push(result);
    }
  }
  return measured;
}

/** Wall time in ms from start to exit. */
function execute(file, args, cwd) {
  return new Promise((resolve, reject) => {
    const start = process.hrtime.bigint();
    const child = spawn(file, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'])
      child[name].setEncoding('utf8').on('data', (chunk) => {
        output[name] += chunk;
      });
    child.on('error', reject);
    child.on('close', (status) => {
      resolve({ wall: Number(process.hrtime.bigint() - start) / 1e6, status, ...output });
    });
  });
}

/** The most memory that is resident, in MiB (Linux: the kernel's own high-water mark). */
function peakMemory(file, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: 'ignore' });
    let rss = 0;
    const watch = setInterval(() => {
      rss = Math.max(rss, highWater(child.pid));
    }, 5);
    child.on('error', reject);
    child.on('close', () => {
      clearInterval(watch);
      resolve(rss);
    });
  });
}

function highWater(pid) {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    // It has ended, or this is no Linux.
    return 0;
  }
}

/** The program itself, without the Node script that starts it. */
function biomeBinary() {
  const require = createRequire(import.meta.url);
  const biome = createRequire(require.resolve('@biomejs/biome/package.json'));
  const name = process.platform === 'win32' ? 'biome.exe' : 'biome';
  return biome.resolve(`@biomejs/cli-${process.platform}-${process.arch}/${name}`);
}
