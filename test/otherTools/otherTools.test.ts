import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { kinds } from '../../core/kinds.js';
import { importPlace } from '../../core/node/importPlace.js';
import { otherTools, toolFolders } from '../../core/otherTools/index.js';
import type { FieldName } from '../../core/otherTools/types.js';
import { fieldsAt } from '../../core/schema/kindFields.js';
import { importInto } from '../import/support.js';

const fieldOf = (name: FieldName) => (typeof name === 'string' ? name : name.field);
const fieldsOf = (names: FieldName | readonly FieldName[]) => [names].flat().map((name) => fieldOf(name as FieldName));

/** Objects of ours, each with its fields. */
const objects = kinds.flatMap((kind) =>
  [[], ['servers', 'id'], ['mcpServers', 'id'], ['agent_defaults'], ['budget'], ['execution_plan', 'steps', '0']].flatMap((place) => {
    const fields = fieldsAt(kind, place);
    return fields === undefined ? [] : [{ place: [kind, ...place].join('/'), fields }];
  }),
);

test('no two tools give one name to different fields of the same object', () => {
  const meanings = new Map<string, Set<string>>();
  for (const { names = {} } of otherTools)
    for (const [key, fields] of Object.entries(names)) meanings.set(key, new Set([...(meanings.get(key) ?? []), ...fieldsOf(fields)]));
  const unclear = objects.flatMap(({ place, fields }) =>
    [...meanings].flatMap(([key, meant]) => {
      const here = [...meant].filter((field) => fields.includes(field) && !fields.includes(key));
      return here.length > 1 ? [`${place}: ${key} is ${here.join(' or ')}`] : [];
    }),
  );
  expect(unclear).toEqual([]);
});

test('every name stands for a field that some object of ours has', () => {
  const ownFields = new Set(objects.flatMap(({ fields }) => fields));
  const dead = otherTools.flatMap(({ id, names = {} }) =>
    Object.entries(names).flatMap(([key, fields]) =>
      fieldsOf(fields).flatMap((field) => (ownFields.has(field) ? [] : [`${id}: ${key} as ${field}`])),
    ),
  );
  expect(dead).toEqual([]);
});

test('every tool has an id of its own', () => {
  const ids = otherTools.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test.each([...toolFolders])('an agent in %s is found from the folder around', async (folder) => {
  const agent = '{"role": "Reviewer", "goal": "Review.", "backstory": "You review.", "llm": "openai/gpt-5"}';
  const { written } = await importInto({ [`${folder}/agents/reviewer.json`]: agent }, { from: 'crewai' });
  expect(written).toContain('config/agents/reviewer/v1.json');
});

test.each([...toolFolders])('what a file in %s names is read from the folder around', (folder) => {
  const root = mkdtempSync(join(tmpdir(), 'other-tools-'));
  try {
    mkdirSync(join(root, folder, 'agents'), { recursive: true });
    const path = join(root, folder, 'agents', 'reviewer.json');
    writeFileSync(path, '{}');
    expect(importPlace(path)).toEqual({ folder: join(root, '/'), entry: `${folder}/agents/reviewer.json` });
  } finally {
    rmSync(root, { recursive: true });
  }
});
