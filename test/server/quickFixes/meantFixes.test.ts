// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these texts hold the placeholders under test.
import { describe, expect, test } from 'vitest';
import { agentText, llmText } from '../agents.js';
import { afterFixAll, fixesOf } from './support.js';

const agent = 'config/agents/A2/v1.json';
const flow = 'config/orchestrations/flow.json';
const payload = 'config/payloads/A2/one.json';
const profile = 'config/llms/helper.json';
const a2 = { [agent]: agentText() };

function team(tasks: readonly object[]): string {
  return JSON.stringify({ name: 'flow', entry_team: 't', teams: { t: { name: 'T', tasks, routing: { default: null } } } });
}

describe('a value in another unit is converted, not clamped', () => {
  test.each([
    ['66', 'Change to 0.66'],
    ['7', 'Change to 0.07'],
    ['100', 'Change to 1'],
    ['"66%"', 'Change to 0.66'],
    ['"0.5"', 'Change to 0.5'],
  ])('pass_rate: %s', async (written, title) => {
    const text = `{ "input": {}, "pass_rate": ${written}, "expect": [] }`;
    const fixes = await fixesOf('schema', text, payload, a2);
    expect(fixes.titles).toEqual([title]);
  });

  test.each(['650', '1.5'])('no rate is made of %s, which may be several', async (written) => {
    const fixes = await fixesOf('schema', `{ "input": {}, "pass_rate": ${written}, "expect": [] }`, payload, a2);
    expect(fixes.titles).toEqual([]);
  });

  test.each([
    ['"25s"', 25000],
    ['"25 sec"', 25000],
    ['"1.5s"', 1500],
    ['"500ms"', 500],
    ['"2m"', 120000],
    ['"1h"', 3600000],
  ])('timeout_ms: %s', async (written, milliseconds) => {
    const fixes = await fixesOf('schema', `{ "agent_name": "A2", "version": "v1", "timeout_ms": ${written} }`);
    expect(fixes.titles).toEqual([`Change to ${milliseconds}`]);
  });

  test('also under the name of another tool', async () => {
    const text = (field: string) => `{ "agent_name": "A2", "version": "v1", ${field} }`;
    const fixes = await fixesOf('foreign-name', text('"timeout": "25s"'));
    expect(await fixes.after('Rename to "timeout_ms" and write 25000')).toBe(text('"timeout_ms": 25000'));
    const tokens = await fixesOf('foreign-name', text('"max_tokens": "4096"'));
    expect(await tokens.after('Rename to "max_output_tokens" and write 4096')).toBe(text('"max_output_tokens": 4096'));
    const plain = await fixesOf('foreign-name', text('"timeout": "25"'));
    expect(plain.titles).toEqual([
      'Rename to "timeout_ms": 25 is in milliseconds',
      'Rename to "timeout_ms" and write 25000: 25 is in seconds',
    ]);
  });

  test('an amount of dollars', async () => {
    const fixes = await fixesOf('schema', '{ "agent_name": "A2", "version": "v1", "budget": { "max_cost": "$0.50" } }');
    expect(fixes.titles).toEqual(['Change to 0.50']);
  });

  test('not where the unit is unknown', async () => {
    const fixes = await fixesOf('schema', '{ "agent_name": "A2", "version": "v1", "max_output_tokens": "25s" }');
    expect(fixes.titles).toEqual([]);
  });
});

describe('a nested placeholder keeps what it holds', () => {
  const text = (url: string) => JSON.stringify({ llm_id: 'helper', provider: 'openai_compatible', base_url: url, model_name: 'm' });

  test.each([
    ['${A:-${B}}', { 'Keep B: ${B}': '${B}', 'Keep A: ${A}': '${A}' }],
    ['x ${A:-${B:-z}} y', { 'Keep B: ${B:-z}': 'x ${B:-z} y', 'Keep A: ${A:-z}': 'x ${A:-z} y' }],
    ['${A:-http://${B}/v1}/x', { 'Keep B: http://${B}/v1': 'http://${B}/v1/x', 'Keep A: ${A}': '${A}/x' }],
    ['${A:-${B:-${C}}}', { 'Keep B: ${B}': '${B}', 'Keep C: ${C}': '${C}', 'Keep A: ${A}': '${A}' }],
  ])('%s', async (written, results) => {
    const fixes = await fixesOf('placeholder-invalid', text(written), profile);
    for (const [title, after] of Object.entries(results)) expect(await fixes.after(title)).toBe(text(after));
    expect(fixes.titles).toHaveLength(Object.keys(results).length);
  });
});

describe('a task or step that exists is waited for', () => {
  const greet = { name: 'greet', agent: 'A2@v1', input: {}, depends_on: [] };
  const say = (depends_on: readonly string[]) => ({ name: 'say', agent: 'A2@v1', depends_on, input: { a: '{{tasks.greet.output}}' } });

  test('a task is added to depends_on', async () => {
    const fixes = await fixesOf('task-unknown', team([greet, say([])]), flow, a2);
    expect(await fixes.after('Add "greet" to depends_on')).toBe(team([greet, say(['greet'])]));
    expect(fixes.preferred).toBe('Add "greet" to depends_on');
  });

  test('not where the two would wait for each other', async () => {
    const fixes = await fixesOf('task-unknown', team([{ ...greet, depends_on: ['say'] }, say([])]), flow, a2);
    expect(fixes.titles).toEqual([]);
  });

  test('a step is moved up', async () => {
    const plan = (steps: readonly object[]) =>
      JSON.stringify({ agent_name: 'A2', version: 'v1', agent_type: 'orchestrating', execution_plan: { steps } });
    const [one, two] = [
      { name: 'one', llm: 'Use {{steps.two.output}}' },
      { name: 'two', llm: 'Think.' },
    ];
    const fixes = await fixesOf('task-unknown', plan([one!, two!]));
    expect(await fixes.after('Move the step "two" before "one"')).toBe(plan([two!, one!]));
  });

  test('names without a near one are offered', async () => {
    const written = team([greet, { ...say(['greet']), input: { a: '{{tasks.zzzz.output.tone}}' } }]);
    const fixes = await fixesOf('task-unknown', written, flow, a2);
    expect(fixes.titles).toEqual(['Change to {{tasks.greet.output.tone}}']);
    expect(fixes.preferred).toBeUndefined();
  });

  test('fields without a near one too', async () => {
    const rules = [{ condition: { task: 'greet', output_field: 'zzzz', operator: 'equals', value: 'a' }, next_team: null }];
    const written = JSON.stringify({
      name: 'flow',
      entry_team: 't',
      teams: { t: { name: 'T', tasks: [greet], routing: { rules, default: null } } },
    });
    const fixes = await fixesOf('condition-field-unknown', written, flow, a2);
    expect(fixes.titles).toEqual(['Change to "tone"']);
    expect(fixes.preferred).toBeUndefined();
  });
});

describe('a persona in the folder of the profiles', () => {
  test('is moved as a whole', async () => {
    const text = '{ "$schema": "x", "system_text": "You help.", "purpose_text": "Help." }';
    const fixes = await fixesOf('misplaced-property', text, profile);
    expect(fixes.titles).toEqual(['Move the file to config/personas/helper.json']);
  });

  test('its fields in a profile are not sent to the provider', async () => {
    const text = JSON.stringify({ ...JSON.parse(llmText('helper')), system_text: 'You help.' });
    const fixes = await fixesOf('misplaced-property', text, profile);
    expect(fixes.titles).toEqual(['Move to config/personas/helper.json']);
    expect(await fixes.after('Move to config/personas/helper.json')).toBe(llmText('helper').replaceAll(/\s+/g, ''));
  });
});

describe('fix-all keeps comments', () => {
  test('in description', async () => {
    const text = `{
  // Chooses the labels.
  "agent_name": "A2",
  "version": "v1" /* never
    changed */
}`;
    expect(await afterFixAll(text)).toBe(`{
  "agent_name": "A2",
  "version": "v1",
  "description": "Chooses the labels.\\nnever changed"
}`);
  });

  test('after the description that is there', async () => {
    expect(await afterFixAll('{ "agent_name": "A2", "description": "One." } // Two.')).toBe(
      '{ "agent_name": "A2", "description": "One.\\nTwo." }',
    );
  });

  test('and leaves them where there is none', async () => {
    expect(await afterFixAll('// Servers.\n{ "servers": {} }', 'config/mcp.json')).toBeUndefined();
  });

  test('removes one without words', async () => {
    expect(await afterFixAll('{ "agent_name": "A2" } // ----')).toBe('{ "agent_name": "A2" }');
  });
});
