import { describe, expect, test } from 'vitest';
import { findingsIn } from '../support/toolFindings.js';

const common = {
  name: 'Stock',
  description: 'Tells what is in stock.',
  version: '1.0.0',
  capabilities: {},
  skills: [],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
};
const earlier = { ...common, protocolVersion: '0.3.0', url: 'https://stock.example.com/a2a' };
const current = {
  ...common,
  supportedInterfaces: [{ url: 'https://stock.example.com/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
};
const place = '.well-known/agent-card.json';

async function codesOf(card: object, path = place, others: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const findings = await findingsIn({ [path]: JSON.stringify(card), ...others });
  return findings.map(({ code, severity, pointer }) => `${code.replace('a2a/', '')} ${severity} ${pointer}`);
}

describe('what a card has to have', () => {
  const skill = { id: 'count', name: 'Count', description: 'Counts.', tags: [] };
  test.each([
    [earlier, []],
    [current, []],
    [{ ...earlier, supportedInterfaces: current.supportedInterfaces }, []],
    [{ ...earlier, url: undefined }, ['card-incomplete error ']],
    [{ ...earlier, protocolVersion: undefined, defaultInputModes: undefined }, ['card-incomplete warning ']],
    [{ ...earlier, protocolVersion: undefined, defaultInputModes: undefined, authentication: { schemes: [] } }, []],
    [{ ...earlier, protocolVersion: '1.0' }, ['card-incomplete warning ']],
    [{ ...earlier, defaultInputModes: undefined, default_input_modes: ['text/plain'] }, []],
    [{ ...earlier, skills: [skill, { ...skill, tags: undefined }, { ...skill, tags: undefined }] }, ['card-incomplete error /skills/1']],
    [{ ...current, skills: [{ ...skill, tags: undefined }] }, ['card-incomplete warning /skills/0']],
    [{ ...earlier, additionalInterfaces: [{ url: 'https://stock.example.com' }] }, ['card-incomplete error /additionalInterfaces/0']],
    [{ ...earlier, fieldOfANewerVersion: true }, []],
  ])('%j', async (card, expected) => {
    expect(await codesOf(card)).toEqual(expected);
  });
});

test.each([
  [{ capabilities: ['streaming'] }, ['value-invalid error /capabilities']],
  [{ skills: ['count'] }, ['value-invalid error /skills/0']],
  [{ skills: {} }, ['value-invalid error /skills']],
  [{ version: 1 }, ['value-invalid error /version']],
  [{ provider: null }, []],
])('kinds of values: %j', async (part, expected) => {
  expect(await codesOf({ ...current, ...part })).toEqual(expected);
});

test.each([
  [[{ url: 'https://x.example.com' }], ['interface-unusable error /supportedInterfaces/0']],
  [[{ url: 'https://x.example.com', protocolBinding: 'json-rpc' }], ['interface-unusable warning /supportedInterfaces/0/protocolBinding']],
  [[{ url: 'https://x.example.com', protocolBinding: 'https://example.com/websocket' }], []],
  [[{ url: 'https://x.example.com', protocolBinding: 'SLIMRPC' }], []],
])('interfaces: %j', async (supportedInterfaces, expected) => {
  expect(await codesOf({ ...current, supportedInterfaces })).toEqual(expected);
});

test('the place before version 0.3', async () => {
  const path = 'public/.well-known/agent.json';
  expect(await codesOf(earlier, path)).toEqual(['place-earlier warning ']);
  expect(await codesOf({ ...earlier, protocolVersion: '0.2.6' }, path)).toEqual([]);
  expect(await codesOf(earlier, path, { 'public/.well-known/agent-card.json': JSON.stringify(earlier) })).toEqual([]);
});

test.each([
  [{ security: [{ token: [] }] }, ['scheme-unknown warning /security/0/token']],
  [{ securityRequirements: [{ schemes: { token: { list: [] } } }] }, ['scheme-unknown warning /securityRequirements/0/schemes/token']],
  [{ security: [{ token: [] }], securitySchemes: { token: { type: 'http', scheme: 'bearer' } } }, []],
  [{ security: [{}] }, []],
])('logging in: %j', async (part, expected) => {
  expect(await codesOf({ ...earlier, ...part })).toEqual(expected);
});

test('a card of more than 10 KB', async () => {
  expect(await codesOf({ ...earlier, description: 'a'.repeat(11_000) })).toEqual(['card-large warning ']);
});

test('other files under these names are not cards', async () => {
  expect(await findingsIn({ '.well-known/agent.json': '{ "name": "x", "url": "https://x.example.com" }' })).toEqual([]);
  expect(await findingsIn({ 'docs/agent-card.json': '{ broken' })).toEqual([]);
  expect((await findingsIn({ [place]: '{ broken' })).map(({ code }) => code)).toEqual(['other-tools/unreadable']);
});
