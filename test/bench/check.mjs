// `agent-stack check` on corpora of different kinds against an editor's JSON service and a fast linter.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCorpus } from './checkCorpus.mjs';
import { median, ratioRow, valueRow } from './report.mjs';

const here = import.meta.dirname;
const cli = join(here, '../../dist/cli.cjs');
const rounds = 7;
const size = 10_000;

const node = (...args) => [process.execPath, ['--require', join(here, 'cpuTime.cjs'), ...args]];
const check = (format) => (folder) => node(cli, 'check', '--project', folder, '--format', format);
const ours = check('json');
const asText = check('text');
const service = (folder) => node(join(here, 'checkPeers/jsonLanguageService.mjs'), folder);
const biome = (folder) => [biomeBinary(), ['lint', '--max-diagnostics=none', '.'], folder];
const bare = () => [process.execPath, ['-e', '0']];

export async function run() {
  const scratch = mkdtempSync(join(tmpdir(), 'agent-stack-check-'));
  const corpus = (name, options) => makeChecked(join(scratch, name), options);
  try {
    const hundred = corpus('hundred', { files: 100, faults: 'none' });
    const clean = corpus('clean', { files: size, faults: 'none' });
    const half = corpus('half', { files: size / 2, faults: 'none' });
    const one = corpus('one', { files: size, faults: 'one' });
    const thirty = corpus('thirty', { files: size / 10, faults: 'thirty' });
    const tenth = corpus('tenth', { files: size / 10, faults: 'none' });
    const long = corpus('long', { files: size / 10, faults: 'few', bytes: 60 * 1024 });
    const deep = corpus('deep', { files: size / 10, faults: 'few', depth: 8 });
    const { time, cpu } = await measure({
      bare: { command: bare },
      hundred: { command: ours, corpus: hundred },
      'hundred, service': { command: service, corpus: hundred },
      clean: { command: ours, corpus: clean },
      'clean, service': { command: service, corpus: clean },
      'clean, biome': { command: biome, corpus: clean },
      half: { command: ours, corpus: half },
      'one, JSON': { command: ours, corpus: one },
      'one, service': { command: service, corpus: one },
      'one, text': { command: asText, corpus: one },
      tenth: { command: ours, corpus: tenth },
      'thirty, JSON': { command: ours, corpus: thirty },
      'thirty, service': { command: service, corpus: thirty },
      'thirty, text': { command: asText, corpus: thirty },
      long: { command: ours, corpus: long },
      'long, service': { command: service, corpus: long },
      deep: { command: ours, corpus: deep },
      'deep, service': { command: service, corpus: deep },
    });
    const memory = [];
    for (let round = 0; round < 3; round++) memory.push(await peakMemory(...ours(clean.folder)));
    const perFinding = {
      one: (time('one, JSON') - time('clean')) / one.findings,
      thirty: (time('thirty, JSON') - time('tenth')) / thirty.findings,
    };
    const files = size.toLocaleString('en');
    const thousand = (size / 10).toLocaleString('en');
    const peer = 'vscode-json-languageservice in process';
    return {
      title: 'Check',
      rows: [
        valueRow('100 clean files (`node -e 0` times 1.6, plus 150 ms)', time('hundred'), 'ms', {
          atMost: Math.round(time('bare') * 1.6 + 150),
        }),
        ratioRow(`100 clean files, ms / ${peer}`, time('hundred'), time('hundred, service'), { atMost: 1.5 }),
        ratioRow(`${files} clean files, CPU ms / ${peer}`, cpu('clean'), cpu('clean, service'), { atMost: 2 }),
        ratioRow(`one finding in each of ${files} files, CPU ms / ${peer}`, cpu('one, JSON'), cpu('one, service'), { atMost: 2.5 }),
        ratioRow(`thirty findings in each of ${thousand} files, CPU ms / ${peer}`, cpu('thirty, JSON'), cpu('thirty, service'), {
          atMost: 4,
        }),
        ratioRow(`${files} clean files, ms / \`biome lint\``, time('clean'), time('clean, biome'), { atMost: 1 }),
        ratioRow('one finding in every file, as JSON, ms / clean', time('one, JSON'), time('clean'), { atMost: 2 }),
        ratioRow('one finding in every file, as text, ms / clean', time('one, text'), time('clean'), { atMost: 2 }),
        ratioRow('thirty findings in every file, as text / as JSON', time('thirty, text'), time('thirty, JSON'), { atMost: 2 }),
        ratioRow('time of a finding, thirty in a file / one in a file, µs', perFinding.thirty * 1000, perFinding.one * 1000, {
          atMost: 1.2,
        }),
        ratioRow(`without the start, ${files} files / half of them, ms`, time('clean') - time('bare'), time('half') - time('bare'), {
          atMost: 2.2,
        }),
        ratioRow(`prompts of 60 KB, CPU ms / ${peer}`, cpu('long'), cpu('long, service'), { atMost: 2 }),
        ratioRow(`output schemas of 8 levels, CPU ms / ${peer}`, cpu('deep'), cpu('deep, service'), { atMost: 2 }),
        valueRow('peak memory', median(memory), 'MiB', { atMost: 150 }),
      ],
      notes: [
        `Wall time, or where it says so CPU time, from start to exit, median of ${rounds} interleaved runs, each a process of its own; files in the page cache, about 4 KB each where nothing else is said. Long prompts, deep schemas and thirty findings: ${thousand} files; of long prompts and deep schemas 5 % have a fault. Ours runs all rules and its findings are compared with the planted ones in every run; the others look for fewer. ${availableParallelism()} cores: biome uses all of them, the others one.`,
      ],
    };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** A corpus with what each command must say about it. */
function makeChecked(folder, options) {
  const { planted, files, findings } = makeCorpus(folder, options);
  // A file of biome's own, so that it does not look for one above the folder.
  writeFileSync(join(folder, 'biome.json'), '{ "root": true }\n');
  return { folder, findings, verify: (command, result) => verify(command, result, { planted, files, findings }) };
}

function verify(command, { status, stdout, stderr }, { planted, files, findings }) {
  if (command === ours) {
    const report = JSON.parse(stdout);
    if (report.files !== files) throw new Error(`check ended with ${status} after ${report.files} files`);
    if (report.findings.length !== findings) throw new Error(`check found ${report.findings.length} instead of ${findings}`);
    if (planted.length !== findings) return;
    const found = new Set(report.findings.map(({ file, code, line }) => `${file}:${line} ${code}`));
    const missed = planted.filter(({ file, code, line }) => !found.has(`${file}:${line} ${code}`));
    if (missed.length > 0) throw new Error(`check missed ${JSON.stringify(missed.slice(0, 3))}`);
  } else if (command === asText) {
    if (!stdout.includes(`${findings} `)) throw new Error(`check did not count ${findings} findings: ${stdout.slice(-200)}`);
  } else if (command === service) {
    if (JSON.parse(stdout).files !== files) throw new Error(`the JSON service saw ${stdout}`);
  } else if (command === biome) {
    const checked = /Checked ([\d,]+) files/.exec(stdout + stderr)?.[1]?.replaceAll(',', '');
    if (Number(checked) < files) throw new Error(`biome ended with ${status} after ${checked} files`);
  }
}

/** Every task in each round, one after the other; the first round is verified and not counted. @returns the medians of a task, in ms */
async function measure(tasks) {
  const measured = new Map(Object.keys(tasks).map((name) => [name, { wall: [], cpu: [] }]));
  for (let round = 0; round <= rounds; round++) {
    for (const [name, { command, corpus }] of Object.entries(tasks)) {
      const result = await execute(...command(corpus?.folder));
      corpus?.verify(command, result);
      if (round === 0) continue;
      measured.get(name).wall.push(result.wall);
      measured.get(name).cpu.push(result.cpu);
    }
  }
  return { time: (name) => median(measured.get(name).wall), cpu: (name) => median(measured.get(name).cpu) };
}

/** Wall time in ms from start to exit, and CPU time of a command that says it (see cpuTime.cjs). */
function execute(file, args, cwd) {
  return new Promise((resolve, reject) => {
    const start = process.hrtime.bigint();
    const child = spawn(file, args, { cwd, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
    const output = { stdout: '', stderr: '', cpu: '' };
    for (const [name, stream] of Object.entries({ stdout: child.stdout, stderr: child.stderr, cpu: child.stdio[3] }))
      stream.setEncoding('utf8').on('data', (chunk) => {
        output[name] += chunk;
      });
    child.on('error', reject);
    child.on('close', (status) => {
      resolve({ status, ...output, wall: Number(process.hrtime.bigint() - start) / 1e6, cpu: Number(output.cpu) });
    });
  });
}

/** The most memory that is resident, in MiB (Linux: the kernel's own high-water mark). */
function peakMemory(file, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: Array(4).fill('ignore') });
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
    // It has ended, or this is not Linux.
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
