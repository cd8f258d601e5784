// Builds dist/: the library (ES modules, readable, with source maps), the commands and the extension (CommonJS), the pages of the extension's
// panels, the library's types, and THIRD-PARTY-NOTICES.md.
import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, join, relative } from 'node:path';
import { promisify } from 'node:util';
import esbuild from 'esbuild';
import { packedTokens } from './scripts/packedTokens.mjs';
import { sampleFiles } from './scripts/sample.mjs';
import { thirdPartyNotices } from './scripts/thirdPartyNotices.mjs';

const root = import.meta.dirname;
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const runNode = (...args) => execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit' });

/** Packages that DBOS and pg load only when an option asks for them, which we never set. */
const optional = [
  '@dbos-inc/dbos-enterprise',
  '@opentelemetry/context-async-hooks',
  '@opentelemetry/exporter-logs-otlp-proto',
  '@opentelemetry/exporter-trace-otlp-proto',
  'pg-cloudflare',
  'pg-native',
  'winston',
  'winston-transport',
];

const node = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  mainFields: ['module', 'main'],
  define: { 'process.env.AGENT_STACK_VERSION': JSON.stringify(version) },
  external: ['vscode', ...optional],
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
};
const commonJs = { ...node, format: 'cjs', outExtension: { '.js': '.cjs' }, minifyWhitespace: true, minifySyntax: true };

/** The SDK of each provider that has one: what is used of it. */
const vendorClients = Object.fromEntries(
  readdirSync(join(root, 'core/llm/providers'), { recursive: true })
    .map((file) => `core/llm/providers/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('Client.ts'))
    .sort()
    .map((file) => [basename(file, '.ts'), file]),
);

/** Large modules that are loaded when first used: each is a file in dist/commands/vendor, shared by the commands and the extension. */
const vendors = {
  ...vendorClients,
  acpSdk: 'core/serve/acp/acpSdk.ts',
  ajvPackage: 'core/schema/ajvPackage.ts',
  dapSdk: 'core/debug/dapSdk.ts',
  dbosSdk: 'core/dbos/dbosSdk.ts',
  encodings: 'core/llm/encodings.ts',
  languageClient: 'vscode-languageclient/node',
  // Client and server share most of their code, so they share a file.
  mcpSdk: 'core/serve/mcp/mcpServerSdk.ts',
  re2js: 're2js',
  textFormats: 'core/textFormats.ts',
  toolsHost: 'core/node/ownTools/toolsHost.ts',
};
const withVendors = {
  name: 'with-vendors',
  setup({ onResolve }) {
    for (const [name, entry] of Object.entries(vendors)) {
      const filter = entry.endsWith('.ts') ? new RegExp(`/(${name}|${basename(entry, '.ts')})\\.js$`) : new RegExp(`^${entry}$`);
      onResolve({ filter }, () => ({ path: `./vendor/${name}.cjs`, external: true }));
    }
    // `agent-stack lsp` starts the server that editors start.
    onResolve({ filter: /\/server\/main\.js$/ }, () => ({ path: './server.cjs', external: true }));
  },
};

/** The little of core that the entries load when they start, which has no state: they have copies of it, so that they start without the rest. */
const copied =
  /^core\/(json|config\/projectFolders|generated\/keys|node\/findProject|otherTools\/mark|secrets\/(secretShapes|secretPatterns))\.ts$/;

/**
 * The commands, the server and the extension share core. What the server may load of it, or `check` to start, is `core.cjs`; the rest is
 * `engine.cjs`. Each module in them runs when it is first imported.
 */
function shareCore({ inputs }) {
  const reach = (entry, kinds) => {
    const reached = new Set([entry]);
    for (const path of reached)
      for (const imported of inputs[path].imports) if (imported.path in inputs && kinds.includes(imported.kind)) reached.add(imported.path);
    return reached;
  };
  const loaded = new Set([
    ...reach('server/main.ts', ['import-statement', 'dynamic-import']),
    ...reach('cli/verbs/check.ts', ['import-statement']),
  ]);
  const fileOf = (path) => (!path.startsWith('core/') || copied.test(path) ? undefined : loaded.has(path) ? 'core' : 'engine');
  const shared = { core: new Set(), engine: new Set() };
  for (const [path, { imports }] of Object.entries(inputs))
    for (const imported of imports) if (fileOf(imported.path) !== fileOf(path)) shared[fileOf(imported.path)]?.add(imported.path);

  const withShared = (file) => ({
    name: 'with-shared',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.\.?\/.*\.js$/ }, ({ path, resolveDir }) => {
        const target = relative(root, join(resolveDir, path)).replaceAll('\\', '/');
        const module = target in inputs ? target : target.replace(/\.js$/, '.ts');
        const other = fileOf(module);
        if (other !== undefined && other !== file) return { path: module, namespace: other };
      });
      onResolve({ filter: /^\.\/(core|engine)\.cjs$/ }, ({ path }) => ({ path, external: true }));
      onLoad({ filter: /.*/, namespace: 'core' }, ({ path }) => ({ contents: `module.exports = require('./core.cjs')['${path}']();` }));
      onLoad({ filter: /.*/, namespace: 'engine' }, ({ path }) => ({ contents: `module.exports = require('./engine.cjs')['${path}']();` }));
    },
  });
  const entryOf = (file) => [...shared[file]].map((module) => `'${module}': () => require('./${module}')`).join(', ');
  return { withShared, entryOf };
}

/** The SDK of MCP brings an ajv for each side, which nobody uses: answers are checked here. */
const withoutMcpValidators = {
  name: 'without-mcp-validators',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@modelcontextprotocol\/(client|server)\/_shims$/ }, () => ({ path: 'shims', namespace: 'mcp' }));
    onLoad({ filter: /.*/, namespace: 'mcp' }, () => ({
      contents: `export { default as process } from 'node:process';
        export const CORS_IS_POSSIBLE = false;
        export class DefaultJsonSchemaValidator {
          getValidator() { throw new Error('The client of MCP has a validator of its own.'); }
        }`,
    }));
  },
};

/**
 * In the library, packages look Node's modules up when they are loaded, instead of importing them: so core can be bundled for a browser, and a program
 * with the library in it for CommonJS.
 */
const lookedUpBuiltins = {
  name: 'looked-up-builtins',
  setup({ onResolve, onLoad }) {
    const names = builtinModules.filter((name) => !name.startsWith('_')).join('|');
    onResolve({ filter: new RegExp(`^(node:)?(${names})$`) }, ({ path, importer }) =>
      importer.includes('node_modules') ? { path: path.replace('node:', ''), namespace: 'builtin' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = globalThis.process?.getBuiltinModule?.('node:${path}') ?? {};`,
    }));
  },
};

runNode('scripts/generate.mjs');
for (const folder of ['esm', 'commands', 'require', 'types', 'webviews'])
  rmSync(join(root, 'dist', folder), { recursive: true, force: true });

/** What the package exports. */
const library = { core: 'core/index.ts', main: 'core/main.ts', node: 'core/nodeIndex.ts' };
const pages = readdirSync(join(root, 'client/panels')).filter((name) => existsSync(join(root, 'client/panels', name, 'page/main.ts')));
/** Chat and run show runs in the same way: what they share is one file beside them. The others share little, and have a file each. */
const pagesOfRuns = ['chat', 'run'];
const buildPages = (names) =>
  esbuild.build({
    ...node,
    entryPoints: Object.fromEntries(names.map((name) => [name, `client/panels/${name}/page/main.ts`])),
    outdir: 'dist/webviews',
    platform: 'browser',
    target: 'es2022',
    format: 'esm',
    splitting: names === pagesOfRuns,
    chunkNames: '[name]-[hash]',
    alias: { entities: './client/panels/page/entities.ts' },
    minify: true,
  });
const commands = {
  ...commonJs,
  outdir: 'dist/commands',
  define: { ...node.define, 'import.meta.url': 'importMetaUrl' },
  banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
  // `import()` of a file in vendor/ becomes `require`.
  supported: { 'dynamic-import': false },
};
/** esbuild splits ES modules only, so a first look, which writes nothing, says which modules there are and what imports them. */
async function buildCommands() {
  const entryPoints = { cli: 'cli/main.ts', client: 'client/extension.ts', server: 'server/main.ts' };
  const { metafile } = await esbuild.build({ ...commands, entryPoints, plugins: [withVendors], write: false });
  const { withShared, entryOf } = shareCore(metafile);
  const buildShared = (file) =>
    esbuild.build({
      ...commands,
      stdin: { contents: `module.exports = { ${entryOf(file)} };`, resolveDir: root, sourcefile: `${file}.ts`, loader: 'ts' },
      outdir: undefined,
      outfile: `dist/commands/${file}.cjs`,
      plugins: [withVendors, withShared(file)],
    });
  return Promise.all([
    esbuild.build({ ...commands, entryPoints, plugins: [withVendors, withShared()] }),
    buildShared('core'),
    buildShared('engine'),
  ]);
}
const declarations = promisify(execFile)(process.execPath, ['scripts/bundleTypes.mjs'], { cwd: root });
const builds = await Promise.all([
  esbuild.build({
    ...node,
    entryPoints: library,
    plugins: [withoutMcpValidators, lookedUpBuiltins],
    outdir: 'dist/esm',
    format: 'esm',
    splitting: true,
    sourcemap: true,
    sourcesContent: false,
    chunkNames: 'chunks/[name]-[hash]',
  }),
  esbuild.build({
    ...commonJs,
    minify: true,
    entryPoints: vendors,
    outdir: 'dist/commands/vendor',
    plugins: [withoutMcpValidators, packedTokens],
  }),
  esbuild.build({
    ...commonJs,
    entryPoints: { cli: 'cli/stub.ts', client: 'client/stub.ts', server: 'server/stub.ts' },
    outdir: 'dist',
    external: ['./commands/*'],
  }),
  buildPages(pagesOfRuns),
  buildPages(pages.filter((name) => !pagesOfRuns.includes(name))),
  buildCommands(),
]);

// `require` gets the module that `import` gets, so that a program with both has each class once. Node can do that from 20.19 on.
mkdirSync(join(root, 'dist/require'));
for (const name of Object.keys(library))
  writeFileSync(join(root, 'dist/require', `${name}.cjs`), `module.exports = require('../esm/${name}.js');\n`);
await declarations.catch(({ stdout, stderr, message }) => {
  throw new Error(stdout + stderr || message);
});
const metafiles = builds.flat().map(({ metafile }) => metafile);
writeFileSync(join(root, 'dist/sample.json'), JSON.stringify(sampleFiles(root)));
writeFileSync(join(root, 'THIRD-PARTY-NOTICES.md'), thirdPartyNotices(root, metafiles));
for (const command of ['cli', 'server']) chmodSync(join(root, 'dist', `${command}.cjs`), 0o755);
