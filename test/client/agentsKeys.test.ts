import { describe, expect, test } from 'vitest';
import { keyState, neededKeys, profileSettings } from '../../client/ports/neededKeys.js';
import { createStoredKeys, removeKey, storageKey, storedNames, storeKey } from '../../client/ports/storedKeys.js';
import { loadProjectIndex } from '../../core/config/loadProjectIndex.js';
import { findApiKey } from '../../core/llm/providers/apiKey.js';
import { memoryFiles } from '../support/memoryFiles.js';

const environment = (values: Readonly<Record<string, string>> = {}) => ({ get: (name: string) => values[name] });

describe('the keys a project needs', () => {
  const needed = async (files: Readonly<Record<string, string>>, name = 'dev') =>
    neededKeys(await loadProjectIndex(memoryFiles(files)), name);

  test('are those its llm profiles name, each once', async () => {
    const keys = await needed({
      'config/llms/a.json': '{ "provider": "openai", "api_key": "secret://team" }',
      'config/llms/b.json': '{ "provider": "openai_compatible", "api_key_env": "ROUTER_KEY" }',
      'config/llms/c.json': '{ "provider": "openai" }',
      'config/llms/d.json': '{ "provider": "openai", "api_key": "secret://team" }',
      'config/llms/e.json': '{ "provider": "openai_compatible" }',
      'config/llms/f.json': '{ "provider": "offline" }',
      'config/llms/g.json': '{ "provider": "vscode" }',
    });
    expect(keys).toEqual([
      { kind: 'variable', name: 'OPENAI_API_KEY', provider: 'openai', profiles: ['c'] },
      { kind: 'variable', name: 'ROUTER_KEY', provider: 'openai_compatible', profiles: ['b'] },
      { kind: 'secret', name: 'team', provider: 'openai', profiles: ['a', 'd'] },
    ]);
  });

  test('follow the environment, over which the profile lies', async () => {
    const files = {
      'config/llms/a.json': '{ "provider": "openai" }',
      'config/llms/b.json': '{ "provider": "openai", "api_key_env": null }',
      'config/environments/prod.json': '{ "llms": { "a": { "api_key_env": "PROD_KEY" }, "b": { "api_key_env": "PROD_KEY" } } }',
    };
    expect((await needed(files, 'prod')).map(({ name, profiles }) => [name, profiles])).toEqual([
      ['OPENAI_API_KEY', ['b']],
      ['PROD_KEY', ['a']],
    ]);
    expect((await needed(files)).map(({ name }) => name)).toEqual(['OPENAI_API_KEY']);
  });

  test('are what agent_defaults need where they name a model', async () => {
    expect(await needed({ 'config/system.json': '{ "agent_defaults": { "model_name": "gpt-4.1" } }' })).toEqual([
      { kind: 'variable', name: 'OPENAI_API_KEY', provider: 'openai', profiles: [] },
    ]);
  });

  test('are not made up from what has the wrong form', async () => {
    expect(
      await needed({
        'agentstack.json': '{}',
        'config/llms/a.json': '{ "provider": 3, "api_key": "sk-in-plain-text" }',
        'config/llms/b.json': '[]',
        'config/system.json': '{ "llms": [] }',
      }),
    ).toEqual([{ kind: 'variable', name: 'OPENAI_API_KEY', provider: 'openai', profiles: ['b'] }]);
    const project = await loadProjectIndex(memoryFiles({ 'config/llms/__proto__.json': '{ "provider": "offline" }' }));
    expect(profileSettings(project, 'dev', '__proto__').provider).toBe('offline');
  });
});

describe('where a key is', () => {
  const secret = { kind: 'secret', name: 'my-key' } as const;
  const variable = { kind: 'variable', name: 'MY_KEY' } as const;

  test.each([
    [secret, true, {}, 'stored'],
    [secret, true, { MY_KEY: 'k' }, 'stored'],
    [secret, false, { MY_KEY: 'k' }, 'environment'],
    [secret, false, {}, 'missing'],
    [variable, true, {}, 'stored'],
    [variable, true, { MY_KEY: 'k' }, 'environment'],
    [variable, false, { MY_KEY: ' ' }, 'missing'],
  ] as const)('%j, stored: %j, environment %j: %s', (place, isStored, variables, state) => {
    expect(keyState(place, isStored, environment(variables))).toBe(state);
  });

  test.each([
    [{ api_key: 'secret://my-key' }, 'my-key', { MY_KEY: 'of-the-environment' }],
    [{ api_key_env: 'MY_KEY' }, 'MY_KEY', { MY_KEY: 'of-the-environment' }],
    [{ api_key: 'secret://my-key' }, 'my-key', {}],
    [{ api_key_env: 'MY_KEY' }, 'MY_KEY', {}],
  ] as const)('is where a call with %j finds it', async (settings, name, variables) => {
    const place = settings === undefined ? secret : 'api_key' in settings ? secret : variable;
    const secrets = { get: async (wanted: string) => (wanted === name ? 'stored-in-vscode' : undefined) };
    const { value } = await findApiKey({ provider: 'openai', ...settings }, { secrets, environment: environment(variables) });
    expect(value).toBe(keyState(place, true, environment(variables)) === 'stored' ? 'stored-in-vscode' : 'of-the-environment');
  });
});

describe('the secret storage', () => {
  const store = () => {
    const secrets = new Map<string, string>();
    const memory = new Map<string, unknown>();
    return {
      secrets: {
        get: async (key: string) => secrets.get(key),
        store: async (key: string, value: string) => void secrets.set(key, value),
        delete: async (key: string) => void secrets.delete(key),
        onDidChange: () => ({ dispose: () => undefined }),
      },
      globalState: {
        keys: () => [...memory.keys()],
        get: <Value>(key: string, otherwise?: Value) => (memory.has(key) ? memory.get(key) : otherwise) as Value,
        update: async (key: string, value: unknown) => void memory.set(key, value),
        setKeysForSync: () => undefined,
      },
      memory,
    };
  };

  test('gives back what was stored, until it is removed', async () => {
    const kept = store();
    const keys = createStoredKeys(kept.secrets);
    await storeKey(kept, 'b', 'sk-b');
    await storeKey(kept, 'a', 'sk-a');
    await storeKey(kept, 'a', 'sk-a2');
    expect(await keys.get('a')).toBe('sk-a2');
    expect(storedNames(kept)).toEqual(['a', 'b']);
    expect(await kept.secrets.get(storageKey('b'))).toBe('sk-b');
    await removeKey(kept, 'a');
    expect(await keys.get('a')).toBeUndefined();
    expect(storedNames(kept)).toEqual(['b']);
  });

  test('is the only place that holds the key itself', async () => {
    const kept = store();
    await storeKey(kept, 'a', 'sk-secret');
    expect(JSON.stringify([...kept.memory])).not.toContain('sk-secret');
  });
});
