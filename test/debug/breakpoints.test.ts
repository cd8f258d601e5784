import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toneProject } from '../cli/command.js';
import { debuggerIn, launch, lineOf, toTheEnd } from './debugClient.js';

const agentFile = (cwd: string) => join(cwd, 'config/agents/Tone/v1.json');
const call = { agent: 'Tone', case: 'greeting' };

/** The answers to breakpoints on one line of the agent. */
async function setAt(text: string, breakpoints: readonly object[]) {
  const cwd = toneProject();
  const client = await debuggerIn(cwd);
  const line = lineOf(agentFile(cwd), text);
  const ready = client.waitForEvent('initialized');
  await client.launchRequest(call as never);
  await ready;
  const { body } = await client.setBreakpointsRequest({
    source: { path: agentFile(cwd) },
    breakpoints: breakpoints.map((breakpoint) => ({ line, ...breakpoint })),
  });
  return body.breakpoints.map(({ verified, message = '' }) => (verified ? `verified ${message}`.trim() : message));
}

const condition = (value: unknown) => ({ condition: JSON.stringify(value) });

describe('conditions of breakpoints', () => {
  test('stop where they hold, and say why where they cannot be judged', async () => {
    const cwd = toneProject();
    const client = await debuggerIn(cwd);
    const file = agentFile(cwd);
    const line = lineOf(file, '"purpose_text"');
    const { printed, stops } = await toTheEnd(client, async () => {
      await launch(client, call, file, [
        { line, ...condition({ field: 'input.text', operator: 'contains', value: 'friendly' }), logMessage: 'holds' },
        { line, ...condition({ not: { context_field: 'text', operator: 'matches', value: '^A .* hello' } }), logMessage: 'never' },
        {
          line,
          ...condition({ output_field: 'tone', operator: 'in', value: ['friendly', 'formal'] }),
          logMessage: 'said {{answer.output.tone}}',
        },
        { line, ...condition({ field: 'input.txt', operator: 'equals', value: 'x' }), logMessage: 'never' },
        { line: line + 1, ...condition([{ field: 'input.text', operator: 'greater_than', value: 3 }]) },
        { line, logMessage: '{{input.text}}: {{input.lable}}' },
      ]);
    });
    expect(printed).toMatch(/^holds$/m);
    expect(printed).toMatch(/said friendly$/m);
    expect(printed).toContain('A friendly hello to all of you: {{input.lable}} (there is no input.lable here)');
    expect(printed).toContain(`v1.json:${line}: The condition does not hold. The stop has no field "input.txt".`);
    expect(printed).not.toMatch(/never/);
    expect(stops).toEqual([]);
  });

  test('that are not known stop, and say what cannot be compared', async () => {
    const cwd = toneProject();
    const client = await debuggerIn(cwd);
    const file = agentFile(cwd);
    const line = lineOf(file, '"system_text"');
    const { printed, stops } = await toTheEnd(client, async () => {
      await launch(client, call, file, [{ line, ...condition({ field: 'input.text', operator: 'greater_than', value: 3 }) }]);
    });
    expect(stops).toEqual(['Tone@v1: before call 1']);
    expect(printed).toContain(
      `It is not known whether the condition holds. greater_than does not take "input.text", which is of type string.`,
    );
  });

  test('say what is wrong with them when they are set', async () => {
    const answers = await setAt('"purpose_text"', [
      { condition: 'answer.output.tone == "formal"' },
      condition({ feild: 'input.text', operator: 'equals', value: 'x' }),
      condition({ field: 'input.text', operator: 'equal', value: 'x' }),
      condition({ field: 'input.text', operator: 'greater_than', value: 'x' }),
      condition({ field: 'input.text', operator: 'matches', value: '(' }),
      condition({ field: 'arguments.path', operator: 'exists' }),
      condition({ field: 'anwser.text', operator: 'exists' }),
      condition([{ any: ['x'] }]),
      condition({ task: 'a', status: 'success' }),
      condition({ field: 'answer.output.tone', operator: 'equals', value: 'formal' }),
      { logMessage: 'said {{anwser.text}}' },
    ]);
    expect(answers).toEqual([
      expect.stringMatching(/^A condition is JSON, like those of routing rules: \{"field": "answer\.output\.label".* [A-Z].*\.$/),
      expect.stringMatching(/^A condition has no "feild"\. Did you mean "field"\?/),
      expect.stringMatching(/^There is no operator "equal"\. Did you mean "equals"\? There are: equals, not_equals/),
      'greater_than needs a value of type number, and has a value of type string.',
      expect.stringMatching(/^The regular expression "\(" is not run: /),
      expect.stringMatching(/^The run stops here before a model call or after an answer, where there is no arguments\./),
      expect.stringMatching(/where there is no anwser\. Did you mean "answer"\?/),
      expect.stringMatching(/^A condition is an object, or a list/),
      expect.stringMatching(/where there is no outcomes\./),
      'verified The run stops here after an answer.',
      expect.stringMatching(/where there is no anwser\. Did you mean "answer"\?/),
    ]);
  });

  test('read all that a stop shows, and print no secret', async () => {
    const token = ['ghp', 'abcdefghijklmnopqrstuvwxyz0123456789'].join('_');
    const cwd = toneProject({ 'config/payloads/Tone/secret.json': { input: { text: `friendly ${token}` } } });
    const client = await debuggerIn(cwd);
    const line = lineOf(agentFile(cwd), '"system_text"');
    const { printed } = await toTheEnd(client, async () => {
      await launch(client, { ...call, case: 'secret' }, agentFile(cwd), [{ line, logMessage: 'input {{ input.text }}' }]);
    });
    expect(printed).toMatch(/^input friendly /m);
    expect(printed.slice(0, printed.indexOf('{'))).not.toContain(token);
  });

  test('hit counts take what editors know', async () => {
    const hits = ['3', '>=3', '== 3', '%2', '<2', ' ', '0', 'three', '%0', '!=3'].map((hitCondition) => ({ hitCondition }));
    const answers = await setAt('"purpose_text"', hits);
    expect(answers.map((answer) => answer.slice(0, 11))).toEqual([...Array(6).fill('verified'), ...Array(4).fill('A hit count')]);
  });
});
