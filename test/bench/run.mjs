// `npm run bench [name...]`: every benchmark against its peers in this same run. `--write` puts the tables into docs/performance.md, in the
// place of those of the same benchmarks.
import { execSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { toMarkdown } from './report.mjs';

const here = import.meta.dirname;
const mark = '<!-- measured -->';
const root = join(here, '../..');
const benches = [
  'startup',
  'call',
  'loop',
  'concurrency',
  'events',
  'snapshot',
  'journal',
  'orchestration',
  'dbos',
  'check',
  'diff',
  'routing',
  'server',
  'activation',
  'preview',
  'runPanel',
  'eval',
  'permits',
  'stops',
  'fork',
];

installPeers();
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const unknown = wanted.filter((name) => !benches.includes(name));
if (unknown.length > 0) {
  console.error(`No benchmark named ${unknown.join(', ')}. There are: ${benches.join(', ')}.`);
  process.exit(2);
}

const sections = [];
for (const name of wanted.length > 0 ? wanted : benches) {
  console.error(`running ${name} ...`);
  const { run } = await import(`./${name}.mjs`);
  const section = toMarkdown(await run());
  sections.push(section);
  console.log(section);
}

if (process.argv.includes('--write')) {
  const file = join(root, 'docs/performance.md');
  const [before, measured = ''] = readFileSync(file, 'utf8').split(mark);
  writeFileSync(file, `${before}${mark}\n\n${environment()}\n\n${replaced(measured, sections).join('\n')}`);
}

/** The sections of a document with new ones in the place of those of the same title; what is new altogether comes last. */
function replaced(measured, fresh) {
  const titleOf = (section) => section.slice(0, section.indexOf('\n'));
  const dated = new Map(fresh.map((section) => [titleOf(section), `${section}\nMeasured on ${new Date().toISOString().slice(0, 10)}.\n`]));
  const before = measured.split(/^(?=## )/m).slice(1);
  const others = before.map((section) => dated.get(titleOf(section)) ?? `${section.trimEnd()}\n`);
  const titles = new Set(before.map(titleOf));
  return [...others, ...[...dated].flatMap(([title, section]) => (titles.has(title) ? [] : [section]))];
}

/** Peers live in a package of their own, installed only to run benchmarks. */
function installPeers() {
  const peers = join(here, 'peers');
  const lock = join(peers, 'package-lock.json');
  const installed = join(peers, 'node_modules/.package-lock.json');
  if (!existsSync(lock) || (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs)) return;
  execSync('npm ci --no-audit --no-fund --loglevel=error', { cwd: peers, stdio: ['ignore', 'inherit', 'inherit'] });
}

function environment() {
  const versions = Object.entries(JSON.parse(readFileSync(join(here, 'peers/package.json'), 'utf8')).dependencies ?? {}).map(
    ([name, version]) => `${name} ${version}`,
  );
  return `Measured with Node ${process.versions.node} on ${cpus().length} cores of ${cpus()[0]?.model.trim() ?? 'an unknown processor'}. Peers: ${versions.join(', ')}.`;
}
