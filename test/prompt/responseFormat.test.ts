import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAgentPrompt } from '../../core/prompt/agentPrompt.js';
import { toFormatName } from '../../core/prompt/responseFormat.js';
import type { EffectiveAgent } from '../../core/snapshot/effective.js';
import { agentConfig } from './agentConfig.js';
import { noSchemas } from './noSchemas.js';

const strictSchema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false };
const looseSchema = { type: 'object', properties: { a: { type: 'string' } } };
const promptOf = (fields: Partial<EffectiveAgent>, llm?: { provider: string; options?: { response_format: string } }) =>
  createAgentPrompt({
    config: agentConfig({ system_text: 'S', output_schema: strictSchema, ...fields }),
    schemas: noSchemas,
    ...(llm && { llm }),
  });

test('a schema in the strict subset is sent strict', () => {
  const prompt = promptOf({ agent_name: 'A2', version: '2.0.0', mode: 'Writer' });
  expect(prompt.compose({}).response_format).toEqual({
    type: 'json_schema',
    json_schema: { name: 'A2_2_0_0', schema: strictSchema, strict: true },
  });
  expect(prompt.strict_reasons).toEqual([]);
});

test('any other is sent loose, and the prompt says why', () => {
  const prompt = promptOf({ output_schema: looseSchema });
  expect(prompt.compose({}).response_format?.json_schema.strict).toBe(false);
  expect(prompt.strict_reasons.map(({ pointer, keyword }) => [pointer, keyword])).toEqual([
    ['', 'additionalProperties'],
    ['/properties/a', 'required'],
  ]);
});

test('a fine-tuned model takes fewer keywords', () => {
  const properties = { a: { type: 'string', pattern: '^x' } };
  const strictOf = (model_name: string) =>
    promptOf({ model_name, output_schema: { ...strictSchema, properties } }).compose({}).response_format?.json_schema.strict;
  expect(strictOf('gpt-4.1-mini')).toBe(true);
  expect(strictOf('ft:gpt-4.1-mini-2025-04-14:acme::abc')).toBe(false);
});

describe('who is sent a response format', () => {
  test.each<[string, Partial<EffectiveAgent>, { provider: string; options?: { response_format: string } } | undefined, boolean]>([
    ['openai', {}, { provider: 'openai' }, true],
    ['offline', {}, { provider: 'offline' }, true],
    ['an agent that names no provider', {}, undefined, true],
    ['openai_compatible', {}, { provider: 'openai_compatible' }, true],
    ['openai_compatible with another option', {}, { provider: 'openai_compatible', options: { response_format: 'json_schema' } }, true],
    ['openai_compatible told not to', {}, { provider: 'openai_compatible', options: { response_format: 'none' } }, false],
    ['openai with an option that is not its own', {}, { provider: 'openai', options: { response_format: 'none' } }, true],
    ['vscode', {}, { provider: 'vscode' }, false],
    ['vscode by the config', { provider: 'vscode' }, undefined, false],
    ['a text protocol', { agent_type: 'react', tool_protocol: 'text' }, undefined, false],
    ['a single call, whatever its protocol', { tool_protocol: 'text' }, undefined, true],
  ])('%s', (_name, fields, llm, expected) => {
    const { messages, response_format } = promptOf(fields, llm).compose({});
    expect(response_format !== null).toBe(expected);
    expect(messages[0]?.content.includes('\nOutput schema: {"type":"object"')).toBe(!expected);
  });

  test('a text protocol asks for the Final Answer', () => {
    const { messages } = promptOf({ agent_type: 'react', tool_protocol: 'text' }).compose({});
    expect(messages[1]?.content).toBe('The Final Answer is a single JSON object only, no extra text, matching the schema.');
  });
});

describe('the name of the format', () => {
  test('is always legal', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), fc.string({ maxLength: 80 }), (agent, version) => {
        expect(toFormatName(agent, version)).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      }),
    );
  });
  test('keeps the version when it must be cut', () => {
    expect(toFormatName('a'.repeat(64), 'v12')).toBe(`${'a'.repeat(60)}_v12`);
    expect(toFormatName('short', '9'.repeat(64))).toBe(`short_${'9'.repeat(58)}`);
    expect(toFormatName('a'.repeat(64), '9'.repeat(64))).toBe(`${'a'.repeat(32)}_${'9'.repeat(31)}`);
  });
});
