import { expect, test } from 'vitest';
import { createRequestWriter } from '../../core/llm/providers/openai/requestText.js';
import type { ChatBody } from '../../core/llm/providers/openai/sdk.js';
import type { ResponseFormat } from '../../core/llm/types.js';

function bodyWith(response_format: ResponseFormat | undefined): ChatBody {
  const body = { model: 'm', messages: [{ role: 'user', content: 'Hi "you"' }], ...(response_format && { response_format }), stream: true };
  return body as unknown as ChatBody;
}

function formatOf(schema: ResponseFormat['json_schema']['schema']): ResponseFormat {
  return Object.freeze({ type: 'json_schema', json_schema: Object.freeze({ name: 'answer', schema, strict: true }) });
}

test('says the same as JSON.stringify would, with any format and without one', () => {
  const write = createRequestWriter();
  const frozen = formatOf(Object.freeze({ type: 'object', required: Object.freeze(['a', '"b"']) }));
  for (const body of [bodyWith(undefined), bodyWith(frozen), bodyWith(frozen), bodyWith(formatOf({ type: 'object' }))]) {
    expect(JSON.parse(write(body))).toEqual(body);
  }
});

test('keeps no text of a format that its owner may still change', () => {
  const write = createRequestWriter();
  const schema = { type: 'object', properties: { a: {} as { type?: string } } };
  const body = bodyWith(formatOf(schema));
  expect(write(body)).not.toContain('integer');
  schema.properties.a.type = 'integer';
  expect(write(body)).toContain('integer');
});
