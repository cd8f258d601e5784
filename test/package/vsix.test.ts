import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ruleCodes } from '../../core/ruleCodes.js';
import { readZip, type ZipEntry } from '../support/zip.js';

// The extension as the Marketplace gets it.

const root = join(import.meta.dirname, '../..');
/** All of it shares one core, and the tokens of both encodings are packed; a second copy of either would pass this. */
const mostBytes = 4_000_000;
let folder: string;
let bytes: Buffer;
let files: ReadonlyMap<string, ZipEntry>;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'agent-stack vsix '));
  const target = join(folder, 'extension.vsix');
  execFileSync(process.execPath, ['scripts/package.mjs', '--out', target], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  bytes = readFileSync(target);
  files = new Map(readZip(bytes).map((entry) => [entry.path, entry]));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const text = (path: string) => files.get(`extension/${path}`)!.read().toString('utf8');

/** Everything that may be in it. */
const allowed = [
  /^\[Content_Types\]\.xml$/,
  /^extension\.vsixmanifest$/,
  /^extension\/package(\.nls(\.de)?)?\.json$/,
  /^extension\/(readme|changelog)\.md$/i,
  /^extension\/(LICENSE\.txt|THIRD-PARTY-NOTICES\.md)$/,
  /^extension\/dist\/sample\.json$/,
  /^extension\/dist\/(cli|client|server)\.cjs$/,
  /^extension\/dist\/commands\/([\w.-]+\/)?[\w.-]+\.cjs$/,
  /^extension\/dist\/webviews\/[\w-]+\.(js|css)$/,
  /^extension\/docs\/(config|troubleshooting|vscode|rules\/([\w-]+\/)?[\w-]+)\.md$/i,
  /^extension\/docs\/images\/[\w-]+\.png$/,
  /^extension\/client\/media\/[\w.-]+\.(json|svg|png)$/,
  /^extension\/client\/media\/walkthrough\/[\w.-]+\.md$/,
  /^extension\/l10n\/bundle\.l10n(\.de)?\.json$/,
];

describe('the packaged extension', () => {
  test('holds what it needs and nothing else', () => {
    expect([...files.keys()].filter((path) => !allowed.some((pattern) => pattern.test(path)))).toEqual([]);
    for (const pattern of allowed.filter(({ source }) => !source.includes('images')))
      expect(
        [...files.keys()].some((path) => pattern.test(path)),
        String(pattern),
      ).toBe(true);
  });

  test('is below 4 MB', () => expect(bytes.length).toBeLessThan(mostBytes));

  test('has the page of every rule as a file of its own, which editors open at its heading', () => {
    for (const code of ruleCodes) expect(text(`docs/rules/${code}.md`), code).toMatch(`# ${code}\n`);
  });

  test('holds no test, no source map and no source', () => {
    expect(
      [...files.keys()].filter((path) => /\.map$|\.tsx?$|(^|\/)(test|tests|node_modules|\.vscode-test|\.agentstack)\//.test(path)),
    ).toEqual([]);
    const mapped = [...files.values()].filter(
      ({ path, read }) => /\.(cjs|js|css)$/.test(path) && /[#@] sourceMappingURL=/.test(read().toString('latin1')),
    );
    expect(mapped.map(({ path }) => path)).toEqual([]);
  });

  test('names no folder of the machine it was made on', () => {
    const places = [root, process.env.HOME ?? root, tmpdir()].map((place) => `${place}/`);
    const telling = [...files.values()].filter(({ read }) => places.some((place) => read().includes(place)));
    expect(telling.map(({ path }) => path)).toEqual([]);
  });

  test('has every file its manifest names', () => {
    const manifest = JSON.parse(text('package.json'));
    const words: Record<string, string> = JSON.parse(text('package.nls.json'));
    const german: Record<string, string> = JSON.parse(text('package.nls.de.json'));
    const named = [...JSON.stringify(manifest).matchAll(/"\.?\/?((?:client|dist)\/[^"]+\.(?:json|svg|png|cjs|md))"/g)].map(
      ([, path]) => path!,
    );
    const pages = [words, german].flatMap((all) => Object.entries(all).flatMap(([key, value]) => (key.endsWith('.media') ? [value] : [])));
    expect(named.length).toBeGreaterThan(5);
    expect([...named, ...pages].filter((path) => !files.has(`extension/${path}`))).toEqual([]);
  });

  test('has a manifest the Marketplace can show', () => {
    const manifest = JSON.parse(text('package.json'));
    expect(manifest).toMatchObject({
      name: 'agent-stack',
      engines: { vscode: '^1.91.0' },
      galleryBanner: { theme: 'dark' },
      license: 'MIT',
      main: './dist/client.cjs',
      l10n: './l10n',
    });
    for (const field of ['scripts', 'devDependencies', 'dependencies', 'files', 'exports', 'bin', 'type', 'allowScripts'])
      expect(manifest[field], field).toBeUndefined();
    expect(manifest.keywords.length).toBeLessThanOrEqual(30);
    expect(manifest.categories).not.toEqual([]);
    expect(Object.keys(manifest.engines)).toEqual(['vscode']);
  });

  test('supports the oldest VS Code whose types it is written with', () => {
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(manifest.engines.vscode).toBe(`^${manifest.devDependencies['@types/vscode']}`);
  });

  test('has a page whose pictures and links are in it or on the web', () => {
    const readme = [...files.keys()].find((path) => /^extension\/readme\.md$/i.test(path))!;
    const page = text(readme.slice('extension/'.length));
    const targets = [...page.matchAll(/\]\((?!https:|#)([^)\s]+)\)/g)].map(([, target]) => target!);
    const pictures = targets.filter((target) => target.endsWith('.png'));
    expect(pictures.length).toBeGreaterThanOrEqual(4);
    const missing = targets.filter((target) => !files.has(`extension/${target}`));
    expect(missing.filter((target) => existsSync(join(root, target)) || !target.startsWith('docs/images/'))).toEqual([]);
    expect(page).not.toContain('http://');
  });

  test('is made by `npm run package` under its name and version', () => {
    const { name, version, scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(scripts.package).toBe('node scripts/package.mjs');
    expect(text('package.json')).toContain(`"version": "${version}"`);
    expect(name).toBe('agent-stack');
  });
});
