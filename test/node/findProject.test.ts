import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findProject } from '../../core/node/findProject.js';
import { temporaryFolder } from '../support/temporaryFolder.js';

function put(root: string, path: string, text: string): void {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
}

function tree(): string {
  const root = temporaryFolder();
  for (const folder of ['outer/config/agents', 'outer/inner/deep/er', 'outer/odd/agentstack.json', 'outer/files/config']) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  writeFileSync(join(root, 'outer/inner/agentstack.json'), '');
  put(root, 'outer/config/agents/A/v1.json', '{ "agent_name": "A", "version": "v1" }');
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

test('a file of ours in any other folder makes a project, one in a folder that other frameworks have does not', () => {
  const root = tree();
  for (const name of ['llms', 'personas', 'prompts/a', 'orchestrations', 'environments', 'payloads'])
    put(root, `outer/${name.split('/')[0]}/config/${name}/v1.json`, '{ "$schema": "https://example.com/llm.schema.json" }');
  for (const name of ['llms', 'personas', 'prompts', 'orchestrations'])
    expect(findProject(join(root, 'outer', name))).toBe(join(root, 'outer', name));
  for (const name of ['environments', 'payloads']) expect(findProject(join(root, 'outer', name))).toBe(join(root, 'outer'));
});

test('a folder name alone makes none: the files of another program show nothing of ours', () => {
  const root = tree();
  put(root, 'outer/app/config/llms/router.json', '{ "routes": [], "default": "x" }');
  put(root, 'outer/app/config/agents/support/en.json', '{ "name": "Support", "description": "Answers", "greeting": "Hi" }');
  put(root, 'outer/app/config/system.json', '{ "port": 80 }');
  expect(findProject(join(root, 'outer/app'))).toBe(join(root, 'outer'));
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
