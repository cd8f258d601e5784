import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';

// The invariants of ARCHITECTURE.md. Each is an absence, so each test first proves on a planted line that it would notice.

const root = join(import.meta.dirname, '..');

interface Import {
  readonly file: string;
  readonly specifier: string;
  /** Project path of a relative import, without its ending; the specifier itself otherwise. */
  readonly target: string;
  readonly lazy: boolean;
  readonly typeOnly: boolean;
}

function importsIn(file: string, text: string): Import[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
  const found: Import[] = [];
  const add = (specifier: string, lazy: boolean, typeOnly: boolean) => {
    const target = specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier).replace(/\.(js|ts)$/, '') : specifier;
    found.push({ file, specifier, target, lazy, typeOnly });
  };
  for (const match of code.matchAll(/\b(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]/g))
    add(match[2]!, false, match[1] !== undefined);
  for (const match of code.matchAll(/\b(?:import|require)\(\s*['"]([^'"]+)['"]\s*\)/g)) add(match[1]!, true, false);
  return found;
}

function sourcesOf(folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|js|mjs)$/.test(entry.name))
    .map((entry) =>
      posix.join(
        ...[
          folder,
          ...join(entry.parentPath, entry.name)
            .slice(join(root, folder).length + 1)
            .split(/[\\/]/),
        ],
      ),
    )
    .filter((file) => !file.startsWith('core/generated/'));
}

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const all = ['core', 'cli', 'client', 'server'].flatMap((folder) => sourcesOf(folder)).flatMap((file) => importsIn(file, read(file)));

const isOfPage = (file: string) => /^client\/panels\/(\w+\/)?page\//.test(file);

type Ban = (found: Import) => boolean;
/** What `agent-stack/node` and `agent-stack` export, and the rooms of adapters. */
const adapters = /^core\/(node\/|dbos\/|nodeIndex\.ts$|main\.ts$)/;
const inCore: Ban = ({ file }) => file.startsWith('core/') && !adapters.test(file);

const invariants: readonly { name: string; broken: Ban; planted: { file: string; text: string } }[] = [
  {
    name: 'core imports no editor and no Node module',
    broken: (found) =>
      inCore(found) && /^(vscode|vscode-languageserver.*|node:.*|fs|path|crypto|os|http|https|child_process)$/.test(found.specifier),
    planted: { file: 'core/project/x.ts', text: `import { readFileSync } from 'node:fs';` },
  },
  {
    name: 'adapters are imported by faces only',
    broken: (found) => inCore(found) && adapters.test(`${found.target}.ts`),
    planted: { file: 'core/project/x.ts', text: `import { openProject } from '../node/openProject.js';` },
  },
  {
    name: 'core imports no face',
    broken: (found) => found.file.startsWith('core/') && /^(client|server|cli)\//.test(found.target),
    planted: { file: 'core/node/x.ts', text: `import { main } from '../../cli/main.js';` },
  },
  {
    name: 'faces never import each other',
    broken: ({ file, target }) => {
      const [from, to] = [file.split('/')[0]!, target.split('/')[0]!];
      if (!['client', 'server', 'cli'].includes(from) || !['client', 'server', 'cli'].includes(to) || from === to) return false;
      return !(from === 'cli' && (target === 'server/main' || target === 'server/service'));
    },
    planted: { file: 'server/x.ts', text: `export { main } from '../cli/main.js';` },
  },
  {
    name: 'vscode is imported in the client only',
    broken: ({ file, specifier }) => specifier === 'vscode' && !file.startsWith('client/'),
    planted: { file: 'server/x.ts', text: `import * as vscode from 'vscode';` },
  },
  {
    name: 'pages of the extension know no editor and no Node',
    broken: ({ file, specifier, target }) =>
      isOfPage(file) && (/^(vscode|node:.*)$/.test(specifier) || /^(core\/node|server|cli)\//.test(target)),
    planted: { file: 'client/panels/x/page/main.ts', text: `import * as vscode from 'vscode';` },
  },
  {
    name: 'vendor SDKs, ajv and the tokenizer are loaded lazily, each by one file or folder',
    broken: ({ file, specifier, lazy, typeOnly }) => {
      const home = vendorHomes.find(({ package: name }) => specifier === name || specifier.startsWith(`${name}/`));
      if (!home || typeOnly) return false;
      return !home.files.test(file) || (home.lazy && !lazy);
    },
    planted: { file: 'core/rules/x.ts', text: `import { Ajv } from 'ajv';` },
  },
  {
    name: 'a provider imports packages in its client only',
    broken: ({ file, specifier }) => /^core\/llm\/providers\/\w+\//.test(file) && !specifier.startsWith('.') && !isProviderClient(file),
    planted: { file: 'core/llm/providers/openai/x.ts', text: `import OpenAI from 'openai';` },
  },
  {
    name: 'the SDKs of providers are imported by providers only',
    broken: ({ file, specifier }) =>
      !file.startsWith('core/llm/providers/') && providerPackages.some((name) => specifier === name || specifier.startsWith(`${name}/`)),
    planted: { file: 'core/rules/x.ts', text: `import OpenAI from 'openai';` },
  },
  {
    name: 'rooms import only rooms below them',
    broken: ({ file, target }) => {
      const from = roomOf(file);
      const to = roomOf(`${target}.ts`);
      if (from === undefined || to === undefined || from === to || to === '') return false;
      return !mayImport[from]?.includes(to);
    },
    planted: { file: 'core/config/x.ts', text: `import { schema } from '../rules/schema.js';` },
  },
];

/** `lazy: false` means that the file itself is only ever reached by `import()`, checked by the next table. */
const vendorHomes: readonly { package: string; files: RegExp; lazy: boolean }[] = [
  { package: '@agentclientprotocol/sdk', files: /^core\/serve\/acp\/acpSdk\.ts$/, lazy: false },
  { package: '@vscode/debugadapter', files: /^core\/debug\/dapSdk\.ts$/, lazy: false },
  { package: '@modelcontextprotocol/client', files: /^core\/tools\/mcp\/mcpSdk\.ts$/, lazy: false },
  { package: '@modelcontextprotocol/server', files: /^core\/serve\/mcp\/mcpServerSdk\.ts$/, lazy: false },
  { package: '@opentelemetry', files: /^core\/(telemetry\/|node\/observeWithTracer)/, lazy: false },
  { package: 'ajv', files: /^core\/schema\/ajvPackage\.ts$/, lazy: false },
  { package: 'ajv-formats', files: /^core\/schema\/ajvPackage\.ts$/, lazy: false },
  { package: '@dagrejs/dagre', files: /^core\/routing\/graph\/graphLayout\.ts$/, lazy: false },
  { package: 'gpt-tokenizer', files: /^core\/llm\/(countTokens|encodings)\.ts$/, lazy: true },
];

/** Packages that clients of providers import. */
const providerPackages = [
  ...new Set(
    all.filter(({ file, specifier }) => isProviderClient(file) && !specifier.startsWith('.')).map(({ specifier }) => packageOf(specifier)),
  ),
];

/** The file of a provider that alone imports its SDK. */
function isProviderClient(file: string): boolean {
  return /^core\/llm\/providers\/(\w+)\/\1Client\.ts$/.test(file);
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** What touches files beside the port (core/node/nodeFiles.ts), with its functions of Node. Each has its reason there or here. */
const fileUsers: { readonly [file: string]: readonly string[] } = {
  // The port, what it is made of, and what it has no words for: locks, folders of runs, open journals.
  'core/node/nodeFiles.ts': ['* as fs'],
  'core/node/openedFile.ts': ['* as fs'],
  'core/node/writeFiles.ts': ['* as fs'],
  'core/node/projectPaths.ts': ['* as fs'],
  'core/node/temporaryFiles.ts': ['* as fs'],
  'core/node/journalFiles.ts': ['* as fs'],
  'core/node/keptFolders.ts': ['* as fs'],
  'core/node/runLocks.ts': ['* as fs'],
  'core/node/holders.ts': ['* as fs'],
  // Files that the user names, or that are the user's own.
  'core/node/namedFiles.ts': ['appendFileSync', 'writeFileSync'],
  'core/node/recordFiles.ts': ['* as fs'],
  'core/node/editText.ts': ['mkdtempSync', 'readFileSync', 'rmSync', 'writeFileSync'],
  'core/node/trustStore.ts': ['mkdirSync', 'readFileSync', 'renameSync'],
  'core/node/projectAdapters.ts': ['readFile'],
  'cli/input.ts': ['createReadStream'],
  'cli/readTable.ts': ['readFileSync'],
  'cli/snapshotSource.ts': ['readFile'],
  'cli/verbs/types.ts': ['readFile'],
  // What is no project: git's own files, /proc, the pages of the package, other files that an editor has open, and the settings before there is one.
  'core/node/committedFiles.ts': ['readFileSync'],
  'core/node/processes.ts': ['readFileSync'],
  'core/node/rulePages.ts': ['readFileSync'],
  'core/node/findProject.ts': ['readFileSync'],
  'server/nodeHost.ts': ['readFileSync'],
  'client/language/ourFiles.ts': ['readFileSync'],
};

const lazyFiles = [
  'core/schema/ajvSchemaCompiler',
  'core/tools/mcp/mcpSdk',
  ...sourcesOf('core/llm')
    .filter(isProviderClient)
    .map((file) => file.replace(/\.ts$/, '')),
  'core/serve/mcp/mcpServerSdk',
  'core/serve/acp/acpSdk',
];

const text = ['jsonText', 'schema', 'secrets'];
const files = [...text, 'otherTools', 'config'];

/** Rooms of the core, each with the rooms below it. The files of `core/` itself are below all rooms, except its index, which is above them. */
const mayImport: { readonly [room: string]: readonly string[] } = {
  '': [],
  jsonText: [],
  markdown: ['jsonText'],
  schema: ['jsonText'],
  secrets: ['jsonText'],
  otherTools: ['jsonText', 'schema', 'secrets'],
  config: [...text, 'otherTools'],
  snapshot: files,
  llm: files,
  routing: files,
  scaffold: [...files, 'llm', 'snapshot'],
  prompt: [...files, 'llm', 'snapshot'],
  tools: [...files, 'llm', 'snapshot'],
  permits: [...files, 'routing', 'llm', 'snapshot', 'prompt', 'tools'],
  rules: [...files, 'routing', 'llm', 'snapshot', 'prompt', 'tools', 'permits'],
  check: [...files, 'routing', 'llm', 'snapshot', 'prompt', 'rules'],
  agent: [...files, 'routing', 'llm', 'snapshot', 'prompt', 'tools', 'permits', 'rules', 'check'],
  team: [...files, 'routing', 'llm', 'snapshot', 'prompt', 'tools', 'rules', 'check', 'agent'],
  run: [...files, 'routing', 'llm', 'snapshot', 'tools', 'agent', 'team'],
  fork: ['jsonText', 'config', 'routing', 'llm', 'snapshot', 'prompt', 'agent', 'run'],
  eval: [...files, 'routing', 'llm', 'snapshot', 'prompt', 'rules', 'check', 'agent', 'team', 'run'],
  serve: [...files, 'snapshot', 'prompt', 'tools', 'agent', 'team', 'run'],
  telemetry: [...files, 'llm', 'tools', 'agent', 'team'],
  inventory: [...files, 'routing', 'llm', 'snapshot', 'prompt', 'rules', 'check'],
  import: [...files, 'routing', 'llm', 'snapshot', 'prompt', 'rules', 'check', 'scaffold'],
  diff: [...files, 'routing', 'llm', 'snapshot', 'prompt', 'tools', 'permits', 'rules', 'check', 'agent', 'team', 'run', 'eval', 'project'],
  project: [
    ...files,
    'routing',
    'llm',
    'snapshot',
    'prompt',
    'tools',
    'rules',
    'check',
    'agent',
    'team',
    'run',
    'fork',
    'eval',
    'serve',
    'telemetry',
  ],
  debug: [...files, 'routing', 'snapshot', 'prompt', 'tools', 'agent', 'run', 'eval', 'project'],
  migrate: [...files, 'routing', 'llm', 'snapshot', 'prompt', 'rules', 'check', 'eval', 'project'],
};

/** Adapters, which import any room, and what is generated from the schemas, which any room imports. */
const notRooms = ['node', 'dbos', 'generated'];

function roomOf(file: string): string | undefined {
  if (!file.startsWith('core/') || file === 'core/index.ts' || adapters.test(file)) return undefined;
  const room = /^core\/([^/]+)\//.exec(file)?.[1] ?? '';
  return notRooms.includes(room) ? undefined : room;
}

/** Groups of nodes that lead to each other. */
function circlesOf(graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const reach = (from: string): Set<string> => {
    const reached = new Set<string>();
    const waiting = [...(graph.get(from) ?? [])];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (reached.has(node)) continue;
      reached.add(node);
      waiting.push(...(graph.get(node) ?? []));
    }
    return reached;
  };
  const inCircles = [...graph.keys()].filter((node) => reach(node).has(node)).sort();
  const circles: string[][] = [];
  for (const node of inCircles) {
    if (circles.some((circle) => circle.includes(node))) continue;
    const reached = reach(node);
    circles.push(inCircles.filter((other) => reached.has(other) && reach(other).has(node)));
  }
  return circles;
}

/** Who imports whom, types included; `nodeOf` names the node that a file belongs to. Imports within a node do not count. */
function graphOf(imports: readonly Import[], nodeOf: (file: string) => string | undefined): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>();
  for (const { file, specifier, target, lazy } of imports) {
    if (lazy || !specifier.startsWith('.')) continue;
    const [from, to] = [nodeOf(file), nodeOf(`${target}.ts`)];
    if (from === undefined || to === undefined || from === to) continue;
    graph.set(from, (graph.get(from) ?? new Set()).add(to));
  }
  return graph;
}

/** The folder directly below `parent` that a file is in. */
function folderBelow(parent: string, file: string): string | undefined {
  if (!file.startsWith(`${parent}/`)) return undefined;
  const [folder, ...below] = file.slice(parent.length + 1).split('/');
  return below.length === 0 ? undefined : `${parent}/${folder}`;
}

describe('architecture', () => {
  for (const { name, broken, planted } of invariants) {
    test(name, () => {
      expect(importsIn(planted.file, planted.text).some(broken), 'the planted import must be noticed').toBe(true);
      expect(all.filter(broken).map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
    });
  }

  test('every room of the core is on the map', () => {
    const rooms = readdirSync(join(root, 'core'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(rooms.map(({ name }) => name).filter((name) => !notRooms.includes(name) && !Object.hasOwn(mayImport, name))).toEqual([]);
    expect(Object.keys(mayImport).filter((room) => room !== '' && !rooms.some(({ name }) => name === room))).toEqual([]);
  });

  test('files do not import each other in circles', () => {
    const planted = [importsIn('core/a.ts', `import './b.js';`), importsIn('core/b.ts', `import type { A } from './a.js';`)].flat();
    expect(circlesOf(graphOf(planted, (file) => file))).toEqual([['core/a.ts', 'core/b.ts']]);
    expect(circlesOf(graphOf(all, (file) => file))).toEqual([]);
  });

  test('folders beside each other do not import each other in circles', () => {
    const parents = new Set(all.flatMap(({ file }) => parentsOf(file)));
    expect(parents).toContain('core/llm');
    const circles = [...parents].flatMap((parent) => circlesOf(graphOf(all, (file) => folderBelow(parent, file))));
    expect(circles).toEqual([]);
  });

  test('files that load ajv or an SDK statically are themselves only reached by import()', () => {
    const isLazy = (file: string) => lazyFiles.includes(file.replace(/\.ts$/, ''));
    expect(all.filter(({ file, target, lazy, typeOnly }) => isLazy(target) && !isLazy(file) && !lazy && !typeOnly)).toEqual([]);
    for (const file of lazyFiles)
      expect(
        all.some(({ target, lazy }) => target === file && lazy),
        file,
      ).toBe(true);
  });

  test('OpenTelemetry is loaded when a run is watched, not before', () => {
    const loads = (entry: string) => closureOf(entry).packages.some((name) => name.startsWith('@opentelemetry/'));
    expect(loads('core/telemetry/watchRun'), 'the look-out must notice').toBe(true);
    expect(['core/index', 'core/nodeIndex', 'core/telemetry/createTelemetry', 'cli/main', 'client/extension'].filter(loads)).toEqual([]);
  });

  test('graphs are laid out by a library that is loaded with the first of them', () => {
    const loads = (entry: string) => closureOf(entry).packages.includes('@dagrejs/dagre');
    expect(loads('core/routing/graph/graphLayout'), 'the look-out must notice').toBe(true);
    expect(['core/index', 'core/nodeIndex', 'cli/main', 'cli/verbs/graph', 'client/extension', 'server/main'].filter(loads)).toEqual([]);
  });

  test('what loads the code of a project asks first whether the user trusts it', () => {
    // These load modules of tools, the last two where nothing else is said.
    const loaders = /^core\/(node\/ownTools\/(toolsProcess|importTools)|node\/openProject|dbos\/dbosEngine)$/;
    const users = all.filter(({ file, target, typeOnly }) => /^(cli|client|server)\//.test(file) && loaders.test(target) && !typeOnly);
    const asking = [
      'cli/dbosEngine.ts',
      'cli/openCliProject.ts',
      'cli/trustCode.ts',
      'client/editorProject.ts',
      'client/ports/moduleTools.ts',
      'server/nodeHost.ts',
    ];
    expect([...new Set(users.map(({ file }) => file))].sort()).toEqual(asking);
    for (const file of asking.filter((file) => file !== 'client/ports/moduleTools.ts')) expect(read(file), file).toMatch(/trust/i);
  });

  test('files are written by the file port and its neighbours alone, and read beside it by those that say why', () => {
    const reading = /^(type \w+|\w*[sS]tat(Sync)?|existsSync|realpath(Sync)?|readdirSync|watch)$/;
    const namesFrom = (text: string) =>
      [...text.matchAll(/import (?:\{([^}]*)\}|(\* as \w+|\w+)) from 'node:fs(?:\/promises)?'/g)].flatMap(([, names, whole]) =>
        whole === undefined ? names!.split(',').map((name) => name.trim()) : [whole],
      );
    const others = (file: string) => namesFrom(read(file)).filter((name) => !reading.test(name) && !fileUsers[file]?.includes(name));
    expect(namesFrom(`import { writeFile } from 'node:fs/promises';`), 'the look-out must notice').toEqual(['writeFile']);
    const found = ['core', 'cli', 'client', 'server'].flatMap(sourcesOf).flatMap((file) => others(file).map((name) => `${file}: ${name}`));
    expect(found).toEqual([]);
    for (const [file, names] of Object.entries(fileUsers)) for (const name of names) expect(namesFrom(read(file)), file).toContain(name);
    const writesOfEditor = sourcesOf('client').filter((file) => /workspace\.fs\.(writeFile|copy|rename)\b/.test(read(file)));
    // A place that the user has picked, and a folder that was just made.
    expect(writesOfEditor).toEqual(['client/commands/openSample.ts', 'client/panels/graph/graphPanel.ts']);
  });

  test('no agent of the sample project is named in the core', () => {
    const names = readdirSync(join(root, 'config/agents'));
    expect(names).toContain('A2');
    for (const file of sourcesOf('core')) {
      for (const name of names) expect(new RegExp(`\\b${name}\\b`).test(read(file)), `${file} names ${name}`).toBe(false);
    }
  });

  test('rules, snapshots and prompt composition use no clock and no randomness', () => {
    const impure = /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bperformance\.now\b|\bcrypto\.randomUUID\b/;
    expect(impure.test('const now = Date.now();')).toBe(true);
    const files = sourcesOf('core').filter((file) => !adapters.test(file));
    expect(files.filter((file) => impure.test(read(file)))).toEqual([]);
  });

  test('pages of the extension show text and never make HTML of it', () => {
    const markup =
      /\b(?:innerHTML|outerHTML|insertAdjacentHTML|createContextualFragment|srcdoc|DOMParser)\b|document\.write|new Function|\beval\s*\(/;
    expect(markup.test('panel.innerHTML = answer;')).toBe(true);
    expect(sourcesOf('client').filter((file) => isOfPage(file) && markup.test(read(file)))).toEqual([]);
  });

  test('what the extension loads when it is activated is its commands and views alone', () => {
    const loaded = closureOf('client/extension');
    expect(loaded.packages.filter((name) => name !== 'vscode' && !name.startsWith('node:'))).toEqual([]);
    expect(
      loaded.files.filter((file) =>
        /^core\/(?!json$|generated\/keys$|otherTools\/mark$|config\/projectFolders$|node\/findProject$)/.test(file),
      ),
    ).toEqual([]);
    expect(loaded.files.length).toBeGreaterThan(5);
    // Views that can wait are in client/views/laterViews.ts; other code is behind an import().
    const size = loaded.files.reduce((sum, file) => sum + read(`${file}.ts`).length, 0);
    expect(size / 1024).toBeLessThan(72);
  });

  test('a CancellationToken becomes an AbortSignal in one place', () => {
    const turns = (file: string) => /CancellationToken/.test(read(file)) && /AbortController|AbortSignal/.test(read(file));
    expect(sourcesOf('client').filter((file) => turns(file) && file !== 'client/ports/toSignal.ts')).toEqual([]);
  });

  test('no machine path and no registry host is in the repository', () => {
    const { files } = repositoryFiles();
    const forbidden = new RegExp(
      [['/work', '/main'].join(''), ['/root', '/'].join(''), ['registry', 'npmjs'].join('.')].join('|').replaceAll('.', '\\.'),
    );
    expect(files.filter((file) => forbidden.test(read(file)))).toEqual([]);
  });
});

/** The folders that a file is in, the nearest last. */
function parentsOf(file: string): string[] {
  const names = file.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

/** What is loaded with a file, without what is imported lazily or for its types. */
function closureOf(entry: string): { readonly files: readonly string[]; readonly packages: readonly string[] } {
  const files = new Set([entry]);
  const packages = new Set<string>();
  for (const file of files) {
    for (const { specifier, target, lazy, typeOnly } of importsIn(`${file}.ts`, read(`${file}.ts`))) {
      if (lazy || typeOnly) continue;
      if (!specifier.startsWith('.')) packages.add(specifier);
      else if (existsSync(join(root, `${target}.ts`))) files.add(target);
    }
  }
  return { files: [...files], packages: [...packages] };
}

function repositoryFiles(): { files: string[] } {
  const skip = /^(node_modules|dist|coverage|\.git|\.agentstack|\.vscode-test|test\/bench\/peers\/node_modules|core\/generated)(\/|$)/;
  const files: string[] = [];
  const walk = (folder: string) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (skip.test(path)) continue;
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile() && /\.(ts|mjs|js|json|jsonc|md|txt|cjs|yml|sh|run)$|(^|\/)[^.]+$/.test(path)) files.push(path);
    }
  };
  walk('');
  return { files };
}
