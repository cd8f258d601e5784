// `npm run package`: dist/agent-stack-<version>.vsix, installable offline (`-- --out file` puts it elsewhere). What ships is staged into a
// folder of its own, so that it holds exactly this list and nothing else of the repository.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import zlib from 'node:zlib';
import { createVSIX } from '@vscode/vsce';
import { isPreRelease } from './missingForRelease.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** The bundles, what they read, and what VS Code shows. Without the library, which has a package of its own. */
const shipped = [
  'dist/cli.cjs',
  'dist/client.cjs',
  'dist/server.cjs',
  'dist/commands',
  'dist/webviews',
  'dist/sample.json',
  'client/media',
  'l10n',
  'docs/config.md',
  'docs/rules',
  'docs/troubleshooting.md',
  'docs/vscode.md',
  'CHANGELOG.md',
  'LICENSE',
  'THIRD-PARTY-NOTICES.md',
];
/**
 * The editor runs agents on one machine, and is no client of ACP: the libraries of the distributed engine and of ACP are for the command from npm.
 * English texts are their own keys.
 */
const leftOut = ['dist/commands/vendor/dbosSdk.cjs', 'dist/commands/vendor/acpSdk.cjs', 'l10n/bundle.l10n.json'];
/** What only npm and the repository need. */
const omitted = ['bin', 'exports', 'files', 'scripts', 'allowScripts', 'devDependencies', 'type'];
/**
 * A third of it is the tokenizers and a third the code of the commands; the rest is packages, pictures, pages, what is known of other tools and the
 * sample with its recordings. The permissions of other tools, and what agents may do with the catalogue of servers, came last.
 */
const mostBytes = 4_000_000;

// The library that writes the archive takes no level of compression, and the default one wastes some ten kilobytes.
const { DeflateRaw } = zlib;
zlib.DeflateRaw = class extends DeflateRaw {
  constructor(options) {
    super({ ...options, level: 9, memLevel: 9 });
  }
};

const { values } = parseArgs({ options: { out: { type: 'string' } } });
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const target = resolve(values.out ?? join(root, 'dist', `${manifest.name}-${manifest.version}.vsix`));
const stage = mkdtempSync(join(tmpdir(), 'agent-stack-extension-'));

try {
  stageFiles();
  // The Marketplace shows only pictures with an address: vsce makes them from the repository, once the manifest names one.
  const rewriteRelativeLinks = manifest.repository !== undefined;
  const preRelease = isPreRelease(manifest.version);
  await createVSIX({
    cwd: stage,
    packagePath: target,
    dependencies: false,
    allowMissingRepository: true,
    rewriteRelativeLinks,
    preRelease,
  });
} finally {
  rmSync(stage, { recursive: true, force: true });
}
const { size } = statSync(target);
console.log(`${relative(root, target)}: ${(size / 1e6).toFixed(2)} MB`);
if (size > mostBytes) throw new Error(`The package may have ${mostBytes} bytes at most and has ${size}.`);

function stageFiles() {
  for (const path of shipped) {
    if (!existsSync(join(root, path))) throw new Error(`${path} is to be packaged and does not exist: run \`npm run build\` first.`);
    copy(path);
  }
  for (const name of readdirSync(root)) if (/^package\.nls(\.[\w-]+)?\.json$/.test(name)) copy(name);
  // What the page of the extension and its walkthrough show, and no other picture.
  const page = readFileSync(join(root, 'client/README.md'), 'utf8');
  const shown = `${page}${JSON.stringify(manifest.contributes.walkthroughs)}`;
  for (const [picture] of shown.matchAll(/docs\/images\/[\w-]+\.png/g)) if (existsSync(join(root, picture))) copy(picture);
  writeFileSync(join(stage, 'README.md'), page);
  // Nothing is to be left out of what is here, and without it there is a warning.
  writeFileSync(join(stage, '.vscodeignore'), '');
  const packaged = Object.fromEntries(Object.entries(manifest).filter(([key]) => !omitted.includes(key)));
  packaged.engines = { vscode: manifest.engines.vscode };
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(packaged, null, 2)}\n`);
}

function copy(path) {
  mkdirSync(dirname(join(stage, path)), { recursive: true });
  const isShipped = (source) => !leftOut.includes(relative(root, source).replaceAll('\\', '/'));
  cpSync(join(root, path), join(stage, path), { recursive: true, filter: isShipped });
}
