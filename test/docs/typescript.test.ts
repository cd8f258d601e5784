import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { blocksOf, pages, root } from './pages.js';

// Each program on a page is a module of its own, compiled as strictly as this project. What it does not import it must declare, or
// context.d.ts does: values of the reader's own.

/** The AI SDK is not installed here. A program that imports it is only parsed. */
const otherPackages = /from '(?:ai|@ai-sdk\/[\w-]+)'/;

const onPages = pages.flatMap(blocksOf).filter(({ language, page }) => ['ts', 'js'].includes(language) && !page.startsWith('docs/rules/'));
const programs = onPages.filter(({ text }) => !otherPackages.test(text));

describe('a program with packages of other tools is TypeScript', () => {
  const others = onPages.filter(({ text }) => otherPackages.test(text));
  test.each(others.map((block) => [block.place, block] as const))('%s', async (_place, { text }) => {
    await transform(text, { loader: 'ts' });
  });
});

test('every program on the pages compiles in strict mode', () => {
  // Inside the project, so that packages and their types are found.
  const folder = mkdtempSync(join(root, 'test/docs/.programs-'));
  try {
    const named = new Map(programs.map((block) => [`${block.place.replace(/\W+/g, '_')}.${block.language}`, block]));
    for (const [name, { text }] of named) writeFileSync(join(folder, name), `${text}\nexport {};\n`);
    const compilerOptions = {
      paths: {
        'agent-stack/core': ['../../../core/index.ts'],
        'agent-stack/node': ['../../../core/nodeIndex.ts'],
        'agent-stack': ['../../../core/main.ts'],
      },
      types: ['node'],
    };
    const config = { extends: '../../../tsconfig.json', compilerOptions, include: ['*.ts', '*.js', '../context.d.ts'], exclude: [] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], { cwd: folder, encoding: 'utf8' });
    const problems = stdout.split('\n').filter((line) => /error TS/.test(line));
    expect(
      problems.map((line) => line.replace(/^([\w.]+)\((\d+),/, (all, name, at) => placed(named.get(name)?.place, Number(at)) ?? all)),
    ).toEqual([]);
    expect(named.size).toBeGreaterThan(10);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** `docs/library.md:12:3`: the page, its line, then what the compiler says. */
function placed(place: string | undefined, line: number): string | undefined {
  if (place === undefined) return undefined;
  const [page, fence] = place.split(':');
  return `${page}:${Number(fence) + line} (`;
}
