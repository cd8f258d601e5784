import { expect, test } from 'vitest';
import { type AllowedTools, isAllowed } from '../../core/tools/allowedTools.js';

const ofServer = (name: string, client_id: string, own = name) => ({ name, origin: { type: 'mcp', client_id, name: own } as const });
const read = ofServer('docs_read', 'docs', 'read');
const skill = { name: 'send_mail', origin: { type: 'skill' } as const };

test.each<[AllowedTools, boolean, boolean]>([
  ['all', true, true],
  ['none', false, false],
  [[], false, false],
  [['docs/read'], true, false],
  [['docs_read'], true, false],
  // Another server may have a tool of this name.
  [['read'], false, false],
  [['other/read'], false, false],
  [['send_mail'], false, true],
  [['docs/*'], true, false],
  [['*/read'], true, false],
  [['*'], true, true],
  [['*_*d'], true, false],
  [['docs_read*'], true, false],
  [['docs_rea*ad'], false, false],
  [['d*c*r*z*d'], false, false],
  [['s*_*l'], false, true],
  [['docs_rea?', 'docs_rea.'], false, false],
])('%j', (allowed, ofDocs, ofSkill) => {
  expect([isAllowed(allowed, read), isAllowed(allowed, skill)]).toEqual([ofDocs, ofSkill]);
});

test('a slash in the name of a tool means no other server', () => {
  const odd = ofServer('b_c', 'a', 'b/c');
  expect(isAllowed(['b/c'], odd)).toBe(false);
  expect(isAllowed(['a/b/c'], odd)).toBe(true);
});

test('no pattern takes longer than the name is long', () => {
  expect(isAllowed([`${'a*'.repeat(30)}b`], ofServer('a'.repeat(200), 's'))).toBe(false);
});
