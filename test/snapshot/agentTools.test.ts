import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { ProjectSettings } from '../../core/config/projectSettings.js';
import type { JsonObject } from '../../core/json.js';
import { createSnapshot } from '../../core/snapshot/createSnapshot.js';
import { resolveAgent } from '../../core/snapshot/resolveAgent.js';
import { verifySnapshot } from '../../core/snapshot/verifySnapshot.js';
import { type Files, indexOf, problemsOf } from './support.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hash = '0'.repeat(64);
const parameters = { type: 'object', required: ['b', 'a'], properties: { b: { type: 'string' }, a: { type: 'string' } } };

const mcp = {
  servers: {
    docs: { command: 'docs-server', env: { TOKEN: `\${env:DOCS_TOKEN}` } },
    web: { url: 'https://example.com/mcp' },
    other: { command: 'other' },
  },
};
const lock = {
  format: 1,
  servers: {
    docs: {
      tools: { search: { description: 'Finds pages.', parameters, hash }, open: { description: '', parameters: { type: 'object' }, hash } },
    },
  },
};
const react = { agent_name: 'A', version: 'v1', agent_type: 'react', model_name: 'm' };

function resolve(agent: JsonObject, { files = {}, skills = {} }: { files?: Files; skills?: ProjectSettings['skills'] } = {}) {
  const project = indexOf({ mcp, 'mcp.lock': lock, ...files });
  project.settings = { ...project.settings, skills };
  const file = { path: 'config/agents/A/v1.json', value: { ...react, ...agent } };
  return resolveAgent({ agent_name: 'A', version: 'v1', file, project, variables: { get: () => undefined } });
}
const snapshotOf = (resolved: ReturnType<typeof resolve>) => createSnapshot({ kind: 'agent', resolved, sha256 });

describe('the tools of an effective agent', () => {
  test('are those its servers are pinned to, with the definition of each server as it is written', () => {
    const { servers, tools, unlisted, problems, files } = resolve({ client_ids: ['docs', 'web'] });
    expect(problems).toEqual([]);
    expect(tools.map(({ name, source }) => [name, source])).toEqual([
      ['search', { file: 'config/mcp.lock.json', pointer: '/servers/docs/tools/search' }],
      ['open', { file: 'config/mcp.lock.json', pointer: '/servers/docs/tools/open' }],
    ]);
    expect(unlisted).toEqual(['web']);
    expect(servers).toEqual({
      docs: {
        ...mcp.servers.docs,
        tools: { search: { description: 'Finds pages.', parameters }, open: { description: '', parameters: { type: 'object' } } },
      },
      web: mcp.servers.web,
    });
    expect(files).toEqual(['config/agents/A/v1.json', 'config/mcp.json', 'config/mcp.lock.json']);
  });

  test('that are built in or declared are there when they are named', () => {
    const skills = { find_order: { description: 'Finds an order.', examples: [{ number: 'A-1' }] } };
    const { tools, servers } = resolve({ enabled_tools: ['find_order', 'calculator'] }, { skills });
    expect(tools.map(({ name, origin, source }) => [name, origin.type, source?.pointer])).toEqual([
      ['calculator', 'built-in', undefined],
      ['find_order', 'skill', '/skills/find_order'],
    ]);
    expect(servers).toEqual({});
  });

  test('are none for an agent that asks once', () => {
    const { tools, servers } = resolve({ agent_type: 'single_shot', client_ids: ['docs'], enabled_tools: ['calculator'] });
    expect([tools, servers]).toEqual([[], {}]);
  });

  test('are frozen to the last value', () => {
    const { tools, servers } = resolve({ client_ids: ['docs'] });
    expect(Object.isFrozen(lock.servers.docs)).toBe(false);
    expect(Object.isFrozen(tools[0]?.parameters.properties) && Object.isFrozen((servers.docs as JsonObject).env)).toBe(true);
  });
});

describe('what tools do', () => {
  const labelled = (more: JsonObject = {}) => ({
    format: 1,
    servers: {
      docs: {
        tools: {
          search: {
            ...lock.servers.docs.tools.search,
            labels: { reads: 'public', untrusted: true },
            annotations: { readOnlyHint: true },
            ...more,
          },
          open: { ...lock.servers.docs.tools.open, labels: { reads: 'secret' } },
        },
      },
    },
  });
  const policy = { never: [{ from: 'untrusted', to: 'sends' }] };
  const skills = { order: { description: 'Orders.', labels: { changes: true } } };
  const agent = { client_ids: ['docs'], enabled_tools: ['search', 'open', 'order'] };

  test('is known as far as files say it', () => {
    const { tools } = resolve(agent, { files: { 'mcp.lock': labelled() }, skills });
    expect(tools.map(({ name, labels, annotations }) => ({ name, labels, annotations }))).toEqual([
      { name: 'order', labels: { changes: true } },
      { name: 'search', labels: { reads: 'public', untrusted: true }, annotations: { readOnlyHint: true } },
      { name: 'open' },
    ]);
    expect(Object.isFrozen(tools[1]?.labels)).toBe(true);
  });

  test('is not known of a tool that has changed', () => {
    const { tools } = resolve(agent, { files: { 'mcp.lock': labelled({ changed: null }) } });
    expect(tools.map((tool) => Object.keys(tool).filter((key) => key === 'labels' || key === 'annotations'))).toEqual([[], []]);
  });

  test('is part of a snapshot that has a policy, and of no other', () => {
    const plain = snapshotOf(resolve(agent, { skills }));
    expect(snapshotOf(resolve(agent, { files: { 'mcp.lock': labelled() }, skills })).hash).toBe(
      snapshotOf(resolve(agent, { skills: { order: { description: 'Orders.' } } })).hash,
    );
    expect(plain.value).not.toHaveProperty('policy');
    const { value, origins_text } = snapshotOf(resolve(agent, { files: { 'mcp.lock': labelled(), system: { policy } }, skills }));
    expect(value.policy).toEqual(policy);
    expect(value.servers).toMatchObject({
      docs: { tools: { search: { labels: { untrusted: true }, annotations: { readOnlyHint: true } } } },
    });
    expect(value.skills).toMatchObject({ order: { labels: { changes: true } } });
    expect(JSON.parse(origins_text)).toMatchObject({
      '/policy/never/0/to': { file: 'config/system.json', pointer: '/policy/never/0/to', layer: 'system' },
      '/skills/order/labels/changes': { file: 'agentstack.json', pointer: '/skills/order/labels/changes' },
      '/servers/docs/tools/search/labels/reads': { file: 'config/mcp.lock.json', pointer: '/servers/docs/tools/search/labels/reads' },
    });
  });
});

describe('what is wrong with a server', () => {
  const broken = { servers: { docs: { command: 1 }, other: { command: 2 } } };

  test('is told to an agent that uses it, and to no other', () => {
    expect(problemsOf(resolve({ client_ids: ['docs'] }, { files: { mcp: broken } }))).toEqual([
      'schema config/mcp.json#/servers/docs/command',
    ]);
    expect(problemsOf(resolve({ client_ids: ['web'] }, { files: { mcp: broken } }))).toEqual([
      'unknown-mcp-server config/agents/A/v1.json#/client_ids/0',
    ]);
    expect(problemsOf(resolve({ enabled_tools: [] }, { files: { mcp: broken } }))).toEqual([]);
  });

  test('includes a secret that is written out', () => {
    const files = {
      mcp: { servers: { docs: { command: 'x', env: { API_KEY: ['sk', 'proj', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6'].join('-') } } } },
    };
    expect(problemsOf(resolve({ client_ids: ['docs'] }, { files }))).toEqual([
      'secret-in-plain-text config/mcp.json#/servers/docs/env/API_KEY',
    ]);
  });
});

describe('a snapshot', () => {
  test('covers every tool, and another description is another snapshot', () => {
    const agent = { client_ids: ['docs'], enabled_tools: ['search', 'calculator'] };
    const changed = structuredClone(lock);
    changed.servers.docs.tools.search.description = 'Finds other pages.';
    const before = snapshotOf(resolve(agent));
    expect(Object.keys(before.value.skills ?? {})).toEqual(['calculator']);
    expect(snapshotOf(resolve(agent, { files: { 'mcp.lock': changed } })).hash).not.toBe(before.hash);
    expect(snapshotOf(resolve(agent)).hash).toBe(before.hash);
  });

  test('keeps the order of tools and of their parameters', () => {
    const { text, hash: name, value } = snapshotOf(resolve({ client_ids: ['docs'] }));
    const read = verifySnapshot(text, name, sha256);
    expect(read.ok && JSON.stringify((read.value.servers.docs as JsonObject).tools)).toBe(
      JSON.stringify((value.servers.docs as JsonObject).tools),
    );
  });

  test('says where servers and tools are written', () => {
    const skills = { find_order: { description: 'Finds an order.' } };
    const resolved = resolve({ client_ids: ['docs'], enabled_tools: ['search', 'find_order', 'calculator'] }, { skills });
    const origins = JSON.parse(snapshotOf(resolved).origins_text);
    expect(origins['/servers/docs/command']).toEqual({ file: 'config/mcp.json', pointer: '/servers/docs/command', layer: 'system' });
    expect(origins['/servers/docs/tools/search/description'].file).toBe('config/mcp.lock.json');
    expect(origins['/skills/find_order/description']).toEqual({
      file: 'agentstack.json',
      pointer: '/skills/find_order/description',
      layer: 'system',
    });
    expect(origins['/skills/calculator/description'].file).toBeNull();
  });

  test('of an agent without tools and servers has none of it in it', () => {
    const { value } = snapshotOf(resolve({}, { skills: { find_order: { description: 'Finds an order.' } } }));
    expect(Object.hasOwn(value, 'skills')).toBe(false);
    expect(value.servers).toEqual({});
  });
});
