import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createAgentPrompt } from '../../core/prompt/agentPrompt.js';
import type { FrozenTool } from '../../core/snapshot/agentTools.js';
import type { EffectiveAgent } from '../../core/snapshot/effective.js';
import { agentConfig } from './agentConfig.js';
import { noSchemas } from './noSchemas.js';

const folder = new URL('../fixtures/prompt/compose/', import.meta.url);

/** A fixture is a sentence, then sections that start with `--- name`. */
function readCase(file: string) {
  const [about = '', ...rest] = readFileSync(new URL(file, folder), 'utf8').split(/^--- /m);
  const sections = new Map(rest.map((section) => [section.slice(0, section.indexOf('\n')), section.slice(section.indexOf('\n') + 1, -1)]));
  const section = (name: string) => sections.get(name) ?? '';
  return {
    about: about.trim(),
    config: agentConfig(JSON.parse(section('config')) as Partial<EffectiveAgent>),
    payload: JSON.parse(section('payload')) as unknown,
    tools: JSON.parse(section('tools') || '[]') as FrozenTool[],
    system: sections.get('system'),
    user: section('user'),
    response_format: section('response_format'),
  };
}

test.each(readdirSync(folder))('%s', (file) => {
  const { config, payload, tools, system, user, response_format } = readCase(file);
  const composed = createAgentPrompt({ config, tools, schemas: noSchemas }).compose(payload);
  expect(composed.messages).toEqual([
    ...(system === undefined ? [] : [{ role: 'system', content: system }]),
    { role: 'user', content: user },
  ]);
  const format = composed.response_format?.json_schema;
  expect(format ? `${format.name} ${format.strict ? 'strict' : 'loose'}` : 'none').toBe(response_format);
  if (format) expect(format.schema).toEqual(config.output_schema);
});
