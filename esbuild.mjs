// Builds dist/: the stubs of the commands and of the extension (CommonJS, start at once), what is behind them (code-split so that vendor
// SDKs, ajv and the tokenizer load only when used), the pages of the extension's panels, the library, its types, THIRD-PARTY-NOTICES.md and
// what V8 has compiled of the commands.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import esbuild from 'esbuild';
import { loadFromCache } from './scripts/cachedPacks.mjs';
import { makeCodeCache } from './scripts/codeCache.mjs';
import { toCommonJs } from './scripts/commonJs.mjs';
import { packChunks } from './scripts/packChunks.mjs';

const root = dirname(fileURLToPath(import.meta.url));
const inRoot = (...parts) => join(root, ...parts);
const { version } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));

const common = {
  absWorkingDir: root,
  platform: 'node',
  target: 'node20.19',
  bundle: true,
  mainFields: ['module', 'main'],
  define: { 'process.env.AGENT_STACK_VERSION': JSON.stringify(version) },
  minifyWhitespace: true,
  minifySyntax: true,
  keepNames: false,
  legalComments: 'none',
  logLevel: 'warning',
};

/**
 * commander starts programs for subcommands that are programs of their own. Ours are none, and the module that starts them takes longer to
 * load than commander itself.
 */
const withoutPrograms = {
  name: 'without-programs',
  setup(build) {
    build.onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      importer.includes(join('node_modules', 'commander')) ? { path: 'none', namespace: 'without-programs' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'without-programs' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/**
 * Large packages that commands and extension have in common: built once, each a file of its own in dist/commands/vendor. Where little of a
 * package is used, it is a file of ours that exports that, named as it is here.
 */
const vendors = {
  o200k_base: 'gpt-tokenizer/encoding/o200k_base',
  cl100k_base: 'gpt-tokenizer/encoding/cl100k_base',
  openaiClient: './core/llm/providers/openai/openaiClient.ts',
  anthropicClient: './core/llm/providers/anthropic/anthropicClient.ts',
  geminiClient: './core/llm/providers/gemini/geminiClient.ts',
  dbosSdk: './core/node/dbos/dbosSdk.ts',
};
const vendorMark = 'agent-stack-vendor:';
const withVendors = {
  name: 'with-vendors',
  setup(build) {
    for (const [name, specifier] of Object.entries(vendors)) {
      const filter = specifier.startsWith('./') ? new RegExp(`/${name}\\.js$`) : new RegExp(`^${specifier}$`);
      build.onResolve({ filter }, () => ({ path: vendorMark + name, external: true }));
    }
  },
};

/** What packages ask for only where somebody has switched it on, which nobody can here: the telemetry of DBOS, its paid part, a native PostgreSQL client. */
const withoutOptional = {
  name: 'without-optional',
  setup(build) {
    const optional = /^(@opentelemetry\/|winston|@dbos-inc\/dbos-enterprise$|pg-native$|pg-cloudflare$)/;
    const asks = /node_modules[\\/](@dbos-inc[\\/]dbos-sdk|pg)[\\/]/;
    build.onResolve({ filter: optional }, ({ importer, path }) => (asks.test(importer) ? { path, external: true } : undefined));
  },
};

execFileSync(process.execPath, [inRoot('scripts/generate.mjs')], { cwd: root, stdio: 'inherit' });

const webviews = readdirSync(inRoot('client/webviews'), { withFileTypes: true }).filter((entry) => entry.isDirectory());

const [library, commands, extension, pages, vendor] = await Promise.all([
  esbuild.build({
    ...common,
    entryPoints: { core: 'core/index.ts', node: 'core/node/index.ts' },
    outdir: 'dist/esm',
    format: 'esm',
    splitting: true,
    plugins: [withoutOptional],
    chunkNames: 'chunks/[name]-[hash]',
    metafile: true,
    write: false,
  }),
  esbuild.build({
    ...common,
    entryPoints: { cli: 'cli/main.ts', server: 'server/main.ts', checkThread: 'core/node/checkThreadMain.ts' },
    outdir: 'dist/commands',
    outExtension: { '.js': '.cjs' },
    format: 'esm',
    splitting: true,
    plugins: [withoutPrograms, withVendors],
    chunkNames: 'chunks/[name]-[hash]',
    define: { ...common.define, 'import.meta.url': 'importMetaUrl' },
    metafile: true,
    write: false,
  }),
  // The extension by itself, so that what it shares with nobody stays out of the other commands' files.
  esbuild.build({
    ...common,
    entryPoints: { client: 'client/extension.ts' },
    outdir: 'dist/commands',
    outExtension: { '.js': '.cjs' },
    format: 'esm',
    splitting: true,
    external: ['vscode'],
    plugins: [withVendors],
    chunkNames: 'chunks/[name]-[hash]',
    define: { ...common.define, 'import.meta.url': 'importMetaUrl' },
    metafile: true,
    write: false,
  }),
  esbuild.build({
    ...common,
    entryPoints: Object.fromEntries(webviews.map(({ name }) => [name, `client/webviews/${name}/main.ts`])),
    outdir: 'dist/webviews',
    platform: 'browser',
    target: 'es2022',
    format: 'iife',
    metafile: true,
    write: false,
  }),
  esbuild.build({
    ...common,
    entryPoints: vendors,
    outdir: 'dist/commands/vendor',
    plugins: [withoutOptional],
    // Nobody reads these stack traces, and the names are a quarter of what is packed.
    minifyIdentifiers: true,
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    metafile: true,
    write: false,
  }),
  esbuild.build({
    ...common,
    entryPoints: { cli: 'cli/stub.ts', server: 'server/stub.ts' },
    outdir: 'dist',
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    external: ['./commands/*'],
    banner: { js: '#!/usr/bin/env node' },
  }),
  esbuild.build({
    ...common,
    entryPoints: { client: 'client/stub.ts' },
    outdir: 'dist',
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    external: ['./commands/*'],
  }),
]);

// Only now, when everything is built, does the old build go: a command that runs meanwhile, or a build that fails, keeps it.
for (const folder of ['dist/esm', 'dist/commands', 'dist/types', 'dist/webviews']) rmSync(inRoot(folder), { recursive: true, force: true });

// A CommonJS dependency that requires a Node module needs a real `require`, which the chunk with esbuild's helpers gets. It is
// looked up rather than imported, so that the core still loads where there is no Node.
for (const file of library.outputFiles) {
  const hasHelper = file.text.includes('typeof require<"u"');
  const banner = hasHelper ? 'var require=globalThis.process?.getBuiltinModule?.("module").createRequire(import.meta.url);\n' : '';
  mkdirSync(dirname(file.path), { recursive: true });
  writeFileSync(file.path, banner + file.text);
}
// The commands are split as ES modules are, and then made CommonJS, which Node loads in little more than half the time.
const ofCommands = await commandsOf(commands.outputFiles);
packChunks(
  ofCommands,
  {
    server: 'server.cjs',
    session: 'chunks/session-',
    cli: 'cli.cjs',
    check: 'chunks/check-',
    checkProject: 'chunks/checkProject-',
    checkShare: 'chunks/checkShare-',
  },
  [
    // The little that commands need of the engine to start, so that they need not wait for all of it.
    ['base', ['server', 'checkShare']],
    ['base', ['cli', 'checkShare']],
    ['engine', ['checkShare']],
    ['server', ['server']],
    ['project', ['session', 'check']],
    ['session', ['session']],
    ['cli', ['cli']],
    ['check', ['check']],
    ['check', ['checkProject']],
  ],
);
loadFromCache(ofCommands);
writeCommands(ofCommands);
// Without a cache: VS Code has a V8 of its own.
const ofExtension = await commandsOf(extension.outputFiles);
packChunks(ofExtension, { client: 'client.cjs', later: 'chunks/laterViews-' }, [
  ['client', ['client']],
  ['later', ['later']],
]);
writeCommands(ofExtension);
for (const file of [...pages.outputFiles, ...vendor.outputFiles]) {
  mkdirSync(dirname(file.path), { recursive: true });
  writeFileSync(file.path, file.contents);
}
for (const command of ['cli', 'server']) chmodSync(inRoot(`dist/${command}.cjs`), 0o755);

execFileSync(process.execPath, [inRoot('node_modules/typescript/bin/tsc'), '--project', 'tsconfig.types.json'], {
  cwd: root,
  stdio: 'inherit',
});
writeNotices([library, commands, extension, pages, vendor].flatMap(({ metafile }) => bundledInputs(metafile)));
await makeCodeCache();

/** Code by path under dist/commands. */
async function commandsOf(outputFiles) {
  const texts = new Map(outputFiles.map(({ path, text }) => [relative(inRoot('dist/commands'), path).replaceAll('\\', '/'), text]));
  const files = await toCommonJs(texts, { target: common.target });
  for (const [path, code] of files) {
    const banner = code.includes('importMetaUrl') ? 'const importMetaUrl=require("node:url").pathToFileURL(__filename).href;\n' : '';
    const toVendors = path.includes('/') ? '../vendor' : './vendor';
    files.set(path, banner + code.replaceAll(new RegExp(`"${vendorMark}(\\w+)"`, 'g'), `"${toVendors}/$1.cjs"`));
  }
  return files;
}

/**
 * Two builds may make the same chunk, of the same name and the same text; it is there once. One whose text differs, since what it requires is
 * packed in the first build and not in this one, gets a name of its own. Packs are loaded by other words than chunks, so those never are renamed:
 * each is in one build only.
 */
function writeCommands(files) {
  const isTaken = (path) =>
    existsSync(inRoot('dist/commands', path)) && readFileSync(inRoot('dist/commands', path), 'utf8') !== files.get(path);
  // A new name changes the text of whoever requires it, which may then be one that differs.
  for (let path = [...files.keys()].find(isTaken); path !== undefined; path = [...files.keys()].find(isTaken)) {
    if (!path.startsWith('chunks/')) throw new Error(`Two builds disagree about dist/commands/${path}.`);
    const renamed = path.replace(/\.cjs$/, '-own.cjs');
    files.set(renamed, files.get(path));
    files.delete(path);
    const [before, after] = [`/${path.slice('chunks/'.length)}"`, `/${renamed.slice('chunks/'.length)}"`];
    for (const [other, code] of files) files.set(other, code.replaceAll(before, after));
  }
  for (const [path, code] of files) {
    const target = inRoot('dist/commands', path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, code);
  }
}

/** The files of which something is in a bundle; others were read and left out. */
function bundledInputs({ outputs }) {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  return inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path);
}

/** Lists every bundled package with its licence text, found from the bundle's own inputs, so that none can be forgotten. */
function writeNotices(inputs) {
  const packages = new Map();
  for (const input of inputs) {
    const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (match) packages.set(match[1], JSON.parse(readFileSync(inRoot(match[1], 'package.json'), 'utf8')));
  }
  const permissive = /^(MIT|ISC|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|0BSD|BlueOak-1\.0\.0)$/;
  const sections = [...packages]
    .sort(([, left], [, right]) => (left.name < right.name ? -1 : 1))
    .map(([folder, { name, version, license }]) => {
      if (!permissive.test(license))
        throw new Error(`${name}@${version} has the licence ${license}, which is not on the permissive list of esbuild.mjs`);
      return `## ${name} ${version} (${license})\n\n${licenceText(folder)}`;
    });
  const text = `# Third-party notices\n\nThe files under dist/ contain these packages.\n\n${sections.join('\n\n')}\n`;
  writeFileSync(inRoot('THIRD-PARTY-NOTICES.md'), text);
}

function licenceText(folder) {
  for (const name of ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'License.txt', 'license', 'LICENCE']) {
    try {
      return readFileSync(inRoot(folder, name), 'utf8').trim();
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
  }
  return `(No licence file in ${relative('node_modules', folder)}; see its package.json.)`;
}
