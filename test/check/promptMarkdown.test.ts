import { describe, expect, test } from 'vitest';
import { loadAgent } from '../../core/agent/load/loadAgent.js';
import { checkProject } from '../../core/check/checkProject.js';
import { loadProjectIndex } from '../../core/config/loadProjectIndex.js';
import type { Ports } from '../../core/ports.js';
import { memoryFiles } from '../support/memoryFiles.js';
import { testPorts } from '../support/testPorts.js';

const variables = { get: () => undefined };
const agent = JSON.stringify({ input_keys: ['lang', 'text'], llm_config_id: 'offline', prompts: { system_prompt: 'reviewer@v1' } });
const llm = JSON.stringify({ llm_id: 'offline', provider: 'offline', model_name: 'offline' });
const base = { 'agentstack.json': '{}', 'config/agents/Reviewer/v1.json': agent, 'config/llms/offline.json': llm };

async function check(texts: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { findings } = await checkProject({ files: memoryFiles({ ...base, ...texts }), variables });
  return findings.map(({ file, line, column, end_column, code }) => `${file}:${line}:${column}-${end_column} ${code}`);
}

async function hash(texts: Readonly<Record<string, string>>): Promise<string> {
  const ports = { ...testPorts(), files: memoryFiles({ ...base, ...texts }), environment: variables } as unknown as Ports;
  const project = await loadProjectIndex(ports.files);
  return (await loadAgent({ project, ports, agent_name: 'Reviewer', version: 'v1' })).agent.snapshot.hash;
}

const json = {
  'config/prompts/reviewer/v1.json': JSON.stringify({ template: 'You review {{input.lang}}.\n\nSay "no".', variables: ['input.lang'] }),
};
const markdown = { 'config/prompts/reviewer/v1.md': '---\nvariables: ["input.lang"]\n---\n\nYou review {{input.lang}}.\n\nSay "no".\n' };

describe('a prompt in Markdown', () => {
  test('is found, checked and used as one in JSON: the frozen config is the same', async () => {
    expect(await check(markdown)).toEqual([]);
    expect(await hash(markdown)).toBe(await hash(json));
    const ofWindows = { 'config/prompts/reviewer/v1.md': markdown['config/prompts/reviewer/v1.md'].replaceAll('\n', '\r\n') };
    expect(await hash(ofWindows)).toBe(await hash(json));
  });

  test('has findings at their places in it', async () => {
    const text = '---\nversion: v2\nvariables: ["input.lang"]\nextra: 1\n---\n\nHi\n\nYou review {{input.lagn}}.\n';
    expect(await check({ 'config/prompts/reviewer/v1.md': text })).toEqual([
      'config/agents/Reviewer/v1.json:1:84-97 prompt-variable-unknown',
      'config/prompts/reviewer/v1.md:2:10-12 version-matches-path',
      'config/prompts/reviewer/v1.md:4:1-6 unknown-property',
      'config/prompts/reviewer/v1.md:9:12-26 prompt-variable-unknown',
    ]);
    expect(await check({ 'config/prompts/reviewer/v1.md': '---\nvariables:\n- a\n---\nHi' })).toEqual([
      'config/prompts/reviewer/v1.md:3:1-4 json-syntax',
    ]);
  });

  test('beside the same version in JSON is a duplicate, whichever is found first', async () => {
    const both = ['config/prompts/reviewer/v1.json:1:1-2 duplicate-identity', 'config/prompts/reviewer/v1.md:1:1-4 duplicate-identity'];
    expect(await check({ ...json, ...markdown })).toEqual(both);
    expect(await check({ ...markdown, ...json })).toEqual(both);
    await expect(hash({ ...json, ...markdown })).rejects.toThrow('config/prompts/reviewer/v1.md is the same prompt in another format');
    const index = await loadProjectIndex(memoryFiles({ ...base, ...markdown, ...json }));
    expect(index.ids('prompt').get('reviewer@v1')).toBe('config/prompts/reviewer/v1.json');
    index.remove('config/prompts/reviewer/v1.json');
    expect(index.ids('prompt').get('reviewer@v1')).toBe('config/prompts/reviewer/v1.md');
    expect(index.value('prompt', 'reviewer@v1')?.template).toContain('You review');
  });

  test('without a folder of its own is reported; a README is left alone', async () => {
    const others = { 'config/prompts/README.md': 'x', 'config/prompts/reviewer/README.md': 'x', 'config/agents/Reviewer/notes.md': 'x' };
    expect(await check({ ...markdown, ...others, 'config/prompts/lost.md': 'x' })).toEqual(['config/prompts/lost.md:1:1-1 foreign-file']);
  });

  test('makes no folder a project, and counts in one by its fields', async () => {
    const { 'agentstack.json': _settings, ...bare } = { ...base, ...markdown };
    const withAgent = { ...bare, 'config/agents/Reviewer/v1.json': agent.replace('{', '{"agent_name":"Reviewer",') };
    const indexOf = async (text: string) => {
      const index = await loadProjectIndex(memoryFiles({ ...withAgent, 'config/prompts/other/a.md': text }));
      return [...index.ids('prompt').keys()];
    };
    expect(await indexOf('Hi {{input.x}}')).toEqual(['other@a', 'reviewer@v1']);
    expect(await indexOf('---\ntitle: x\nlayout: page\ntags: ["a"]\n---\nHi')).toEqual(['reviewer@v1']);
    expect(await indexOf('---\ntags:\n  - a\n---\nHi')).toEqual(['reviewer@v1']);
  });
});
