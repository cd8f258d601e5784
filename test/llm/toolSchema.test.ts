import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../core/json.js';
import { toPlainTool } from '../../core/llm/toolSchema.js';

const plain = (parameters: JsonObject, description = 'Does it.') => toPlainTool({ name: 'it', description, parameters });

describe('the parameters of a tool', () => {
  test('that fit stay the same object', () => {
    const tool = { name: 'it', description: '', parameters: { type: 'object', properties: {} } };
    expect(toPlainTool(tool)).toBe(tool);
  });

  test('that take nothing get an empty list of fields', () => {
    expect(plain({ type: 'object' })).toEqual({ name: 'it', description: 'Does it.', parameters: { type: 'object', properties: {} } });
  });

  test('with alternatives at their root keep all fields, and the description says the rest', () => {
    const { description, parameters } = plain({
      type: 'object',
      properties: { id: { type: 'string' } },
      required: ['id'],
      anyOf: [{ required: ['text'], properties: { text: { type: 'string' }, id: { type: 'number' } } }, { required: ['url'] }, true],
    });
    expect(parameters).toEqual({
      type: 'object',
      properties: { id: { type: 'string' }, text: { type: 'string' } },
      required: ['id'],
    });
    expect(description).toBe(
      'Does it.\nThe input must also fit {"anyOf":[{"required":["text"],"properties":{"text":{"type":"string"},"id":{"type":"number"}}},{"required":["url"]},true]}.',
    );
  });

  test('with fields that only look special keep them', () => {
    const { parameters } = plain(JSON.parse('{"type":"object","oneOf":[{"properties":{"__proto__":{"type":"string"}}}],"__proto__":1}'));
    expect(JSON.stringify(parameters)).toBe('{"type":"object","__proto__":1,"properties":{"__proto__":{"type":"string"}}}');
  });
});
