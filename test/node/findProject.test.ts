import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findProject } from '../../core/node/findProject.js';
import { temporaryFolder } from '../support/temporaryFolder.js';

function tree(): string {
  const root = temporaryFolder();
  for (const folder of ['outer/config/agents', 'outer/inner/deep/er', 'outer/odd/agentstack.json', 'outer/files/config']) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  writeFileSync(join(root, 'outer/inner/agentstack.json'), '');
  writeFileSync(join(root, 'outer/files/config/agents'), 'a file');
  return root;
}

test('a project is the nearest folder upwards with agentstack.json or configs', () => {
  const root = tree();
  expect(findProject(join(root, 'outer'))).toBe(join(root, 'outer'));
  expect(findProject(join(root, 'outer/config/agents'))).toBe(join(root, 'outer'));
  expect(findProject(join(root, 'outer/inner/deep/er'))).toBe(join(root, 'outer/inner'));
});

test('it is found from a file, and from what does not exist', () => {
  const root = tree();
  expect(findProject(join(root, 'outer/inner/agentstack.json'))).toBe(join(root, 'outer/inner'));
  expect(findProject(join(root, 'outer/inner/agentstack.json/below'))).toBe(join(root, 'outer/inner'));
  expect(findProject(join(root, 'outer/none/none'))).toBe(join(root, 'outer'));
});

test('a folder called agentstack.json and a file called agents make no project', () => {
  const root = tree();
  expect(findProject(join(root, 'outer/odd'))).toBe(join(root, 'outer'));
  expect(findProject(join(root, 'outer/files'))).toBe(join(root, 'outer'));
});

test('a folder of any other configs makes a project, one that other frameworks have does not', () => {
  const root = tree();
  for (const name of ['llms', 'personas', 'prompts', 'orchestrations', 'environments', 'payloads'])
    mkdirSync(join(root, 'outer', name, 'config', name), { recursive: true });
  for (const name of ['llms', 'personas', 'prompts', 'orchestrations'])
    expect(findProject(join(root, 'outer', name))).toBe(join(root, 'outer', name));
  for (const name of ['environments', 'payloads']) expect(findProject(join(root, 'outer', name))).toBe(join(root, 'outer'));
});

test('links count as what they lead to', () => {
  const root = tree();
  mkdirSync(join(root, 'linked/config'), { recursive: true });
  symlinkSync(join(root, 'outer/config/agents'), join(root, 'linked/config/agents'));
  expect(findProject(join(root, 'linked'))).toBe(join(root, 'linked'));
});

test('where there is none up to the root of the disk, there is none', () => {
  expect(findProject('/')).toBeUndefined();
});
