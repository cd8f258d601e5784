import { describe, expect, test } from 'vitest';
import { createNodeFiles } from '../../core/node/nodeFiles.js';
import { readSnapshot } from '../../core/run/readSnapshot.js';
import { createRunFolder } from '../../core/run/runFolder.js';
import { schemaPlace } from '../../core/run/schemaPlace.js';
import { createSnapshot } from '../../core/snapshot/createSnapshot.js';
import { minimal, resolve, sha256 } from '../snapshot/support.js';
import { temporaryFolder } from '../support/temporaryFolder.js';

const config = {
  enums: { tone: ['a'], level: ['low'] },
  output_schema: {
    type: 'object',
    required: ['tone'],
    additionalProperties: false,
    properties: {
      tone: { type: 'string', enum: ['a'] },
      level: { type: 'string' },
      items: { type: 'array', items: { $ref: '#/$defs/item' } },
      pair: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }] },
      'a/b': { allOf: [{ minLength: 2 }] },
      map: { type: 'object', additionalProperties: { type: 'integer' } },
      loop: { $ref: '#/properties/loop' },
    },
    $defs: { item: { type: 'object', properties: { name: { maxLength: 3 } } } },
  },
};

describe('the words of the schema that refused a value', () => {
  test.each([
    ['/tone', 'enum', '/output_schema/properties/tone/enum'],
    ['/tone', 'type', '/output_schema/properties/tone/type'],
    ['', 'required', '/output_schema/required'],
    ['', 'additionalProperties', '/output_schema/additionalProperties'],
    ['/level', 'enum', '/enums/level'],
    ['/items/3/name', 'maxLength', '/output_schema/$defs/item/properties/name/maxLength'],
    ['/pair/1', 'type', '/output_schema/properties/pair/prefixItems/1/type'],
    ['/a~1b', 'minLength', '/output_schema/properties/a~1b/allOf/0/minLength'],
    ['/map/any', 'type', '/output_schema/properties/map/additionalProperties/type'],
    ['/tone', 'unheard-of', '/output_schema/properties/tone'],
    ['/nowhere', 'type', '/output_schema/type'],
    ['/loop', 'type', '/output_schema/properties/loop'],
    ['/__proto__', 'type', '/output_schema/type'],
  ])('%s %s', (path, keyword, place) => {
    expect(schemaPlace(config, { path, keyword })).toBe(place);
  });
});

describe('a snapshot read back', () => {
  const runId = '0123456789abcdef0123456789abcdef';

  async function stored(overrides: { readonly llm?: string }) {
    const resolved = resolve({
      files: {
        'agents/A/v1': { ...minimal, model_name: 'x', output_schema: { type: 'object', properties: { tone: { enum: ['a'] } } } },
        'llms/other': { llm_id: 'other', provider: 'offline', model_name: 'y' },
      },
      ...(overrides.llm && { overrides }),
    });
    const snapshot = createSnapshot({ kind: 'agent', resolved, sha256 });
    const files = createNodeFiles(temporaryFolder());
    await createRunFolder(files, runId).begin(snapshot);
    return { files, snapshot, read: await readSnapshot(files, runId, snapshot.hash) };
  }

  test('knows the file that a value of the agent came from, also of lists and objects', async () => {
    const { read } = await stored({});
    const file = 'config/agents/A/v1.json';
    expect(read?.originOf('/output_schema/properties/tone/enum')).toEqual({ file, pointer: '/output_schema/properties/tone/enum' });
    expect(read?.originOf('/output_schema/properties')).toEqual({ file, pointer: '/output_schema/properties' });
    expect(read?.originOf('/nothing')).toBeUndefined();
  });

  test("knows the profile that a call brought in place of the agent's own", async () => {
    expect((await stored({})).read?.called_llm).toBeNull();
    expect((await stored({ llm: 'other' })).read).toMatchObject({ called_llm: 'other', llm_id: 'other' });
  });

  test('is not looked for under a name that is not a hash', async () => {
    const { files } = await stored({});
    expect(await readSnapshot(files, runId, '../../../config/system')).toBeUndefined();
    expect(await readSnapshot(files, runId, '0'.repeat(64))).toBeUndefined();
  });
});
