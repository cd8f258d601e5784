import { describe, expect, test } from 'vitest';
import { chooseModel, toModelError, toTurns } from '../../client/ports/languageModels.js';
import { LlmError } from '../../core/errors.js';

describe('the model a profile means', () => {
  const models = [
    { id: 'gpt-5', family: 'gpt-5', name: 'GPT-5', vendor: 'copilot' },
    { id: 'gpt-5-mini', family: 'gpt-5', name: 'GPT-5 mini', vendor: 'copilot' },
    { id: 'gpt-5', family: 'other', name: 'Mine', vendor: 'mine' },
  ];
  test.each([
    ['gpt-5-mini', 1],
    ['gpt-5', 0],
    ['mine/gpt-5', 2],
    ['other', 2],
    ['gpt-5 MINI', 1],
    ['', 0],
    ['gpt', undefined],
  ])('%j', (name, at) => expect(chooseModel(models, name)).toBe(at === undefined ? undefined : models[at]));
});

describe('messages without a system role', () => {
  const user = { role: 'user', content: 'u' } as const;
  const assistant = { role: 'assistant', content: 'a' } as const;
  const system = { role: 'system', content: 's' } as const;
  test.each([
    [
      [system, user, assistant, user],
      ['user:s\n\nu', 'assistant:a', 'user:u'],
    ],
    [[user], ['user:u']],
    [[system], ['user:s']],
    [
      [system, assistant],
      ['user:s', 'assistant:a'],
    ],
    [[system, system, user], ['user:s\n\ns\n\nu']],
  ])('%j', (messages, turns) => expect(toTurns(messages).map(({ role, content }) => `${role}:${content}`)).toEqual(turns));
});

describe('a failure', () => {
  const failure = (code: string, message: string, cause?: Error) => Object.assign(new Error(message, cause && { cause }), { code });
  test.each([
    [failure('NoPermissions', 'no'), 'auth'],
    [failure('NotFound', ''), 'not-found'],
    [failure('Blocked', 'You have exhausted your quota'), 'quota'],
    [failure('Blocked', 'Response got filtered'), 'content-filter'],
    [failure('Unknown', 'Unknown', new Error('Request was rate limited, rate limit exceeded')), 'rate-limit'],
    [failure('Unknown', 'the prompt is too long'), 'context-length'],
    [failure('Unknown', 'boom'), 'server'],
    [new TypeError('boom'), 'server'],
  ])('%s is %s', (error, reason) => {
    const mapped = toModelError(error, 'm');
    expect(mapped).toBeInstanceOf(LlmError);
    expect(mapped).toMatchObject({ reason, cause: error });
  });
});
