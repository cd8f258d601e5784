import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { isPreRelease, missingForRelease } from '../../scripts/missingForRelease.mjs';
import { catalogOf, wholeSchema } from '../../scripts/schemaStore.mjs';
import { toneAgent } from '../cli/command.js';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe('release:check', () => {
  const manifest = {
    name: 'agent-stack',
    version: '1.2.3',
    publisher: 'someone',
    repository: { type: 'git', url: 'git+https://example.org/a/b.git' },
    bugs: 'https://example.org/a/b/issues',
    homepage: 'https://example.org/',
  };
  const changelog = '# Changelog\n\n## [1.2.3] - 2026-11-25\n';

  test('lets a release pass that lacks nothing', () => {
    expect(missingForRelease({ manifest, changelog })).toEqual([]);
    expect(missingForRelease({ manifest, changelog, tag: 'v1.2.3' })).toEqual([]);
  });

  test.each([
    [{ manifest: { ...manifest, repository: undefined } }, 'package.json: "repository", '],
    [{ manifest: { ...manifest, bugs: { url: 'mailto:a@example.org' } } }, 'package.json: "bugs", '],
    [{ manifest: { ...manifest, homepage: 'example.org' } }, 'package.json: "homepage", '],
    [{ manifest: { ...manifest, publisher: 'agent-stack' } }, 'package.json: "publisher" is still "agent-stack"'],
    [{ changelog: '## [Unreleased]\n' }, 'CHANGELOG.md: a section "## [1.2.3] - YYYY-MM-DD"'],
    [{ tag: 'v1.2.4' }, 'The tag is v1.2.4; '],
  ])('says what is missing and where it goes: %#', (change, words) => {
    expect(missingForRelease({ manifest, changelog, ...change })).toEqual([expect.stringContaining(words)]);
  });

  test('knows pre-releases by an odd minor number', () => {
    expect(['0.1.0', '0.2.0', '1.0.9', '2.13.1'].map(isPreRelease)).toEqual([true, false, false, true]);
  });

  test('is described, and the workflow runs only what there is', () => {
    const page = read('docs/releasing.md');
    for (const field of ['repository', 'bugs', 'homepage', 'publisher']) expect(page).toContain(`\`${field}\``);
    const workflow = read('.github/workflows/release.yml');
    const { scripts } = JSON.parse(read('package.json'));
    for (const [, name = ''] of workflow.matchAll(/npm run ([\w:]+)/g)) expect(scripts).toHaveProperty(name);
    for (const [path] of workflow.matchAll(/scripts\/[\w./]+\.mjs/g)) expect(existsSync(join(root, path)), path).toBe(true);
    for (const [, name = ''] of workflow.matchAll(/(?:vars|secrets)\.(\w+)/g)) expect(page).toContain(`\`${name}\``);
  });
});

describe('the schemas for SchemaStore', () => {
  const readSchema = (name: string): object => JSON.parse(read(join('schemas', name)));

  test.each(catalogOf('https://example.org/schemas').map((entry) => [entry.url.slice(entry.url.lastIndexOf('/') + 1), entry] as const))(
    '%s refers to no other file, and judges as the one here does',
    (file, { fileMatch }) => {
      const whole = wholeSchema(file, readSchema);
      const references = [...JSON.stringify(whole).matchAll(/"\$ref":"([^"]*)"/g)].map(([, reference]) => reference);
      expect(references.filter((reference) => !reference?.startsWith('#'))).toEqual([]);
      expect(whole).toMatchObject({ $id: `agent-stack:${file}` });
      expect(fileMatch.length).toBeGreaterThan(0);
      const validate = new Ajv({ strict: false }).compile(whole);
      const settings = file === 'agentstack.schema.json';
      expect(validate(settings ? JSON.parse(read('agentstack.json')) : 'no object'), JSON.stringify(validate.errors)).toBe(settings);
      if (file === 'agent.schema.json') {
        expect(validate(toneAgent), JSON.stringify(validate.errors)).toBe(true);
        expect(validate({ ...toneAgent, temperature: 'hot' })).toBe(false);
      }
    },
  );
});
