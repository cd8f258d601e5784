import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import esbuild from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadFromCache } from '../../scripts/cachedPacks.mjs';
import { changingExports, toCommonJs } from '../../scripts/commonJs.mjs';
import { packChunks } from '../../scripts/packChunks.mjs';

const sources = {
  'shared.js': `
    export let count = 0;
    export let late;
    export const fixed = { text: 'fixed' };
    export function add() { count += 1; late = 'set'; return count; }
    export async function* numbers() { yield 1; yield 2; }
    export class Thing { name = 'thing'; }
    export { basename as last } from 'node:path';
  `,
  'both.js': `
    import { add, fixed } from './shared.js';
    export const sum = (a, b) => a + b;
    export default function twice() { add(); return add(); }
    export { fixed };
  `,
  'lazy.js': `
    import { count } from './shared.js';
    export default 'lazy';
    export const seen = () => count;
  `,
  'one.js': `
    import path, { join } from 'node:path';
    import * as fs from 'node:fs';
    import twice, { fixed, sum } from './both.js';
    import { count, last, late, numbers, Thing } from './shared.js';
    export async function main() {
      const before = [count, late];
      const made = twice();
      const listed = [];
      for await (const number of numbers()) listed.push(number);
      const lazy = await import('./lazy.js');
      return JSON.stringify([before, made, count, late, fixed.text, sum(1, 2), listed, new Thing().name, last('a/b'), lazy.default, lazy.seen(),
        path.sep === path.join('/'), join('c', 'd'), typeof fs.readFileSync]);
    }
    main().then((text) => console.log(text));
  `,
  'two.js': `
    import { sum } from './both.js';
    import { numbers, count } from './shared.js';
    console.log(sum(1, 1), count, typeof numbers);
    import('./lazy.js').then(({ seen }) => console.log(seen()));
  `,
};

let root: string;
const answers = new Map<string, string>();

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'agent-stack-chunks-'));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write('source/package.json', '{ "type": "module" }');
  for (const [name, text] of Object.entries(sources)) write(`source/${name}`, text);
  const { outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['source/one.js', 'source/two.js'],
    outdir: 'dist',
    outExtension: { '.js': '.cjs' },
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    minifyWhitespace: true,
    minifySyntax: true,
    write: false,
  });
  const files = await toCommonJs(new Map(outputFiles.map(({ path, text }) => [relative(join(root, 'dist'), path), text])), {
    target: 'node20',
  });
  packChunks(files, { one: 'one.cjs', two: 'two.cjs' }, [['common', ['one', 'two']]]);
  for (const [path, text] of files) {
    write(`dist/${path}`, text);
    answers.set(path, text);
  }
  loadFromCache(files);
  for (const [path, text] of files) write(`cached/${path}`, text);
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('the chunks of the commands', () => {
  const run = (path: string) => execFileSync(process.execPath, [join(root, path)], { encoding: 'utf8' });

  test('do as CommonJS what the modules do that they were made of', () => {
    expect(run('dist/one.cjs')).toBe(run('source/one.js'));
    expect(run('dist/two.cjs')).toBe(run('source/two.js'));
  });

  test('do the same where their packs may come from a cache', () => {
    expect(run('cached/one.cjs')).toBe(run('source/one.js'));
    expect(run('cached/two.cjs')).toBe(run('source/two.js'));
  });

  test.each([
    ['"\u00fc"', 'is not ASCII'],
    ['import("./lazy.cjs")', 'imports'],
  ])('are not packed for a cache with %s, which %s', (code) => {
    expect(() => loadFromCache(new Map([['chunks/pack-common.cjs', code]]))).toThrow('chunks/pack-common.cjs holds');
  });

  test('take what never changes from each other once, and look up what may change at every use', () => {
    const one = answers.get('one.cjs') ?? '';
    expect(one).toMatch(/const\{[^}]*numbers[^}]*\}=require\("\.\/chunks\/pack-common\.cjs"\)/);
    expect(one).not.toMatch(/\.(numbers|sum|fixed|Thing)\b/);
    expect(one).toMatch(/\.(count|late)\b/);
  });

  test('are packed where all entries that are named load them, and stay apart where one loads them later', () => {
    expect([...answers.keys()].sort()).toEqual(
      ['chunks/pack-common.cjs', expect.stringMatching(/^chunks\/lazy-/), 'one.cjs', 'two.cjs'].sort(),
    );
  });
});

test.each([
  ['var a=1;export{a};', []],
  ['var a=1,b={c:2};export{a,b};', []],
  ['function a(){}async function b(){}function*c(){}class d{}export{a,b,c,d as e};', []],
  ['var a=1;function f(){a=2}export{a,f};', ['a']],
  ['var a=1;function f(){a+=2}export{a as x};', ['x']],
  ['var a=1;function f(){return a++}export{a};', ['a']],
  ['var a=1;function f(){return--a}export{a};', ['a']],
  ['var a;function f(){a=1}export{a};', ['a']],
  ['var x=1,a,y=2;var init=__esm(()=>{a=1});export{a};', ['a']],
  ['var a;for(a of[1,2]);export{a};', ['a']],
  ['function a(){}function f(){a=void 0}export{a};', ['a']],
  ['var a$=1,aa=2;aa=3;export{a$};', []],
  ['var a=1;b.a=2;let c=a==2,d=(a,e)=>a;export{a};', []],
])('%s: may change %j', (text, names) => {
  expect([...changingExports(text)]).toEqual(names);
});
