import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LockedTool, McpLock, ToolAnnotations } from '../../../core/generated/types.js';
import type { Json, JsonObject } from '../../../core/json.js';
import { validateKind } from '../../../core/schema/kindValidators.js';
import {
  acceptChanges,
  emptyLock,
  hashTool,
  type ListedTool,
  lockText,
  pinnedTools,
  toolText,
  updateLock,
  withoutServers,
} from '../../../core/tools/mcp/lock.js';
import { lockPath, readLock, writeLock } from '../../../core/tools/mcp/lockFile.js';
import { setup } from './support.js';

const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');
const tool = (name: string, description = '', parameters: JsonObject = { type: 'object' }): ListedTool => ({
  name,
  description,
  parameters,
});
const statesOf = (lock: McpLock, listed: readonly ListedTool[]) => Object.fromEntries(updateLock(lock, 's', listed, sha256).states);

test('the hash is SHA-256 of the canonical JSON of description and parameters', () => {
  const canonical = '{"description":"é","parameters":{"properties":{"a":{},"b":{}},"type":"object"}}';
  expect(hashTool(tool('x', 'é', { type: 'object', properties: { b: {}, a: {} } }), sha256)).toBe(sha256(canonical));
});

describe('listing', () => {
  const pinned = updateLock(emptyLock, 's', [tool('a', 'one'), tool('b')], sha256).lock;

  test('pins what is new', () => {
    expect(statesOf(emptyLock, [tool('a'), tool('b')])).toEqual({ a: 'new', b: 'new' });
    expect(pinned.servers.s?.tools.a).toEqual({
      description: 'one',
      parameters: { type: 'object' },
      hash: hashTool(tool('a', 'one'), sha256),
    });
  });

  test('keeps what has changed beside what is pinned, and forgets it when it is as it was', () => {
    const { lock, states } = updateLock(pinned, 's', [tool('a', 'two'), tool('c')], sha256);
    expect(Object.fromEntries(states)).toEqual({ a: 'changed', b: 'gone', c: 'new' });
    expect(lock.servers.s?.tools.a).toMatchObject({ description: 'one', changed: { description: 'two' } });
    expect(lock.servers.s?.tools.b).toMatchObject({ changed: null });
    const again = updateLock(lock, 's', [tool('a', 'one'), tool('b'), tool('c')], sha256);
    expect(Object.fromEntries(again.states)).toEqual({ a: 'unchanged', b: 'unchanged', c: 'unchanged' });
    expect(again.lock.servers.s?.tools.a).not.toHaveProperty('changed');
  });

  test('takes the order of keys for no change', () => {
    const lock = updateLock(emptyLock, 's', [tool('a', '', { type: 'object', properties: {} })], sha256).lock;
    expect(statesOf(lock, [tool('a', '', { properties: {}, type: 'object' })])).toEqual({ a: 'unchanged' });
  });

  test('does not believe a hash in the file', () => {
    const { a } = pinned.servers.s?.tools ?? {};
    const forged = { format: 1, servers: { s: { tools: { a: { ...a, description: 'forged' } } } } } as McpLock;
    expect(statesOf(forged, [tool('a', 'one')])).toEqual({ a: 'changed' });
  });

  test('accepting takes over what was listed last, all or by name', () => {
    const { lock } = updateLock(pinned, 's', [tool('a', 'two')], sha256);
    const one = acceptChanges(lock, 's', ['a']);
    expect(one.servers.s?.tools.a).toEqual({
      description: 'two',
      parameters: { type: 'object' },
      hash: hashTool(tool('a', 'two'), sha256),
    });
    expect(one.servers.s?.tools.b).toMatchObject({ changed: null });
    expect(Object.keys(acceptChanges(lock, 's').servers.s?.tools ?? {})).toEqual(['a']);
  });

  const labelled: McpLock = {
    ...pinned,
    servers: { s: { tools: { ...pinned.servers.s?.tools, a: { ...(pinned.servers.s?.tools.a as LockedTool), labels: { sends: true } } } } },
  };

  test('keeps the labels of a tool until a change of it is accepted', () => {
    const { a } = updateLock(labelled, 's', [tool('a', 'one')], sha256).lock.servers.s?.tools ?? {};
    expect(a).toEqual(labelled.servers.s?.tools.a);
    const { lock } = updateLock(labelled, 's', [tool('a', 'two')], sha256);
    expect(lock.servers.s?.tools.a).toMatchObject({ labels: { sends: true }, changed: { description: 'two' } });
    expect(updateLock(lock, 's', [tool('a', 'one')], sha256).lock.servers.s?.tools.a).toEqual(labelled.servers.s?.tools.a);
    expect(acceptChanges(lock, 's').servers.s?.tools.a).toEqual(
      updateLock(emptyLock, 's', [tool('a', 'two')], sha256).lock.servers.s?.tools.a,
    );
    expect(withoutServers(lock, () => false)).toEqual(emptyLock);
  });

  test('keeps the annotations beside what is pinned, which they do not change', () => {
    const claims = (annotations: ToolAnnotations, description = 'one') => [{ ...tool('a', description), annotations }];
    const { lock, states } = updateLock(labelled, 's', claims({ readOnlyHint: false }), sha256);
    expect(states.get('a')).toBe('unchanged');
    expect(lock.servers.s?.tools.a).toEqual({ ...labelled.servers.s?.tools.a, annotations: { readOnlyHint: false } });
    const changed = updateLock(lock, 's', claims({ readOnlyHint: true }, 'two'), sha256).lock;
    expect(changed.servers.s?.tools.a).toMatchObject({
      annotations: { readOnlyHint: false },
      changed: { annotations: { readOnlyHint: true } },
    });
    expect(acceptChanges(changed, 's').servers.s?.tools.a).toMatchObject({ annotations: { readOnlyHint: true } });
    expect(updateLock(lock, 's', [tool('a', 'one')], sha256).lock).toEqual(updateLock(labelled, 's', [tool('a', 'one')], sha256).lock);
  });

  test('leaves other servers alone, and drops those that are no more', () => {
    const { lock } = updateLock(pinned, 't', [tool('a')], sha256);
    expect(lock.servers.s).toEqual(pinned.servers.s);
    expect(Object.keys(withoutServers(lock, (id) => id === 't').servers)).toEqual(['t']);
  });
});

const anyTool = fc.record({
  name: fc.oneof(fc.constantFrom('__proto__', 'constructor', 'a', 'v2', 'v10'), fc.string({ minLength: 1 })),
  description: fc.string(),
  parameters: fc.dictionary(fc.string(), fc.jsonValue()).map((rest) => ({ ...rest, type: 'object' }) as JsonObject),
});
const anyList = fc.uniqueArray(anyTool, { selector: ({ name }) => name, maxLength: 6 });

test('for any list of tools the file is valid, stable, and accepting it all is listing it anew', () => {
  fc.assert(
    fc.property(anyList, anyList, (first, second) => {
      const { lock } = updateLock(updateLock(emptyLock, 's', first, sha256).lock, 's', second, sha256);
      const read = JSON.parse(lockText(lock)) as McpLock;
      expect(validateKind('lock', read as unknown as Json)).toEqual([]);
      expect(lockText(read)).toBe(lockText(lock));
      const accepted = JSON.parse(lockText(acceptChanges(read, 's')));
      // What has not changed keeps the order of keys it was pinned with.
      expect(accepted).toEqual(JSON.parse(lockText(updateLock(emptyLock, 's', second, sha256).lock)));
      expect([...(pinnedTools(accepted, 's')?.keys() ?? [])].sort()).toEqual(second.map(({ name }) => name).sort());
      expect([...updateLock(accepted, 's', second, sha256).states.values()].every((state) => state === 'unchanged')).toBe(true);
    }),
  );
});

test('both forms of a tool are written with their keys in one order, so that a difference shows what differs', () => {
  expect(toolText(tool('a', 'd', { type: 'object', properties: {} }))).toBe(toolText(tool('b', 'd', { properties: {}, type: 'object' })));
});

describe('the file', () => {
  test('is read and written, and kept as it is when nothing differs', async () => {
    const { root, ports } = setup();
    const path = lockPath('config');
    expect(await readLock(ports.files, path)).toEqual(emptyLock);
    const { lock } = updateLock(emptyLock, 's', [tool('v10'), tool('v2')], sha256);
    expect(await writeLock(ports.files, path, { ...lock, $ignore: { schema: true } })).toBe(true);
    expect(await writeLock(ports.files, path, await readLock(ports.files, path))).toBe(false);
    const text = readFileSync(join(root, path), 'utf8');
    expect(text.indexOf('"v2"')).toBeLessThan(text.indexOf('"v10"'));
    expect(text).toMatch(/"\$ignore"/);
    expect(text.endsWith('}\n')).toBe(true);
  });

  test('is not written over when it is not a lock', async () => {
    const { root, ports } = setup();
    for (const text of ['{', '{"format": 2, "servers": {}}', '[]']) {
      writeFileSync(join(root, 'mcp.lock.json'), text);
      await expect(readLock(ports.files, lockPath(''))).rejects.toMatchObject({ code: 'config-invalid' });
    }
  });
});
