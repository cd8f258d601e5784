import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { thirdPartyNotices } from '../../scripts/thirdPartyNotices.mjs';
import { repository } from '../cli/command.js';
import { temporaryFolder } from '../support/temporaryFolder.js';

const granted = 'Permission is hereby granted, free of charge';

/** The notices of one package with these files, beside its package.json. */
function noticesOf(manifest: object, files: Readonly<Record<string, string>> = {}): string {
  const root = temporaryFolder();
  const folder = join(root, 'node_modules/@scope/thing');
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries({
    ...files,
    'package.json': JSON.stringify({ name: '@scope/thing', version: '1.0.0', ...manifest }),
  }))
    writeFileSync(join(folder, name), text);
  const input = 'node_modules/@scope/thing/index.js';
  return thirdPartyNotices(root, [{ outputs: { 'a.js': { inputs: { [input]: { bytesInOutput: 1 } } } } }]);
}

test.each([
  ['License', 'Licence A'],
  ['LICENCE.md', 'Licence A'],
  ['copying.txt', 'Licence A'],
])('the licence is found in %s', (name, text) => {
  expect(noticesOf({ license: 'ISC' }, { [name]: text })).toContain(`## @scope/thing 1.0.0 (ISC)\n\n${text}\n`);
});

test('notices and what a package contains itself go with it', () => {
  const files = { LICENSE: 'Text', NOTICE: 'Copyright of many', 'thirdpartynotices.txt': 'Of others' };
  expect(noticesOf({ license: 'Apache-2.0' }, files)).toContain('Text\n\nCopyright of many\n\nOf others');
});

test('a README that has the whole text is one', () => {
  const readme = `# Thing\n\nUse it.\n\n## License\n\nCopyright (c) Me\n\n${granted} ...\n\n## Changes\n\nMany.\n`;
  const notices = noticesOf({ license: 'MIT', author: 'You' }, { 'README.md': readme });
  expect(notices).toContain(`Copyright (c) Me\n\n${granted} ...`);
  expect(notices).not.toContain('Many');
});

test('a package that only names MIT and its author gets the text', () => {
  expect(noticesOf({ license: 'MIT', author: { name: 'Someone <a@b.c>' } }, { 'readme.md': '## License\n\nMIT' })).toContain(
    `Copyright (c) Someone\n\n${granted}`,
  );
});

test('no package goes without one', () => {
  expect(() => noticesOf({ license: 'ISC' })).toThrow('@scope/thing has no licence file');
  expect(() => noticesOf({ license: 'MIT' })).toThrow('@scope/thing has no licence file');
  expect(() => noticesOf({ license: 'GPL-3.0' }, { LICENSE: 'x' })).toThrow('not on the list');
});

test('every section that ships has a text', () => {
  const path = join(repository, 'THIRD-PARTY-NOTICES.md');
  expect(existsSync(path)).toBe(true);
  const sections = readFileSync(path, 'utf8')
    .split(/^## (?=(?:@[\w.-]+\/)?[\w.-]+ \d+\.\d+\.\d+\S* \()/m)
    .slice(1);
  expect(sections.length).toBeGreaterThan(50);
  const grants =
    /Permission is hereby granted|Permission to use, copy|Redistribution and use|Apache License|Blue Oak|Everyone is permitted/i;
  expect(sections.filter((section) => !grants.test(section)).map((section) => section.split('\n', 1)[0])).toEqual([]);
});
