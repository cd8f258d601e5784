import { describe, expect, test } from 'vitest';
import { createNodeLogger } from '../../core/node/nodePorts.js';
import { agentstack, toneAgent, toneProject } from './command.js';

/** A control of ISO 6429 that terminals obey, and a character that turns the direction of text. */
const unseen = '\u009b31m\u202e\u2066\u0085\u007f';
const raw = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

const project = () =>
  toneProject({
    'config/agents/Tone/v1.json': { ...toneAgent, purpose_text: `Choose ${unseen}` },
    'config/agents/Odd/v1.json': { ...toneAgent, agent_name: `Odd${unseen}` },
    'config/payloads/Tone/greeting.json': { input: { text: `Hello ${unseen}` } },
  });

describe('no output for programs has characters that a terminal obeys', () => {
  test.each([
    ['check', '--json'],
    ['check', '--format', 'sarif'],
    ['check', '--format', 'github'],
    ['compose', 'Tone', '--case', 'greeting', '--json'],
    ['run', 'Tone', '--case', 'greeting', '--json'],
    ['run', 'Tone', '--case', 'greeting', '--events', 'jsonl'],
    ['snapshot', 'Tone', '--json'],
    ['tools', `X${unseen}`, '--json'],
    ['new', 'agent', `X${unseen}`, '--json'],
  ])('%s', async (...args) => {
    const { stdout, stderr } = await agentstack(args, { cwd: project() });
    expect(stdout).not.toBe('');
    expect(stdout + stderr).not.toMatch(raw);
  });

  test('and it means the same', async () => {
    const { stdout } = await agentstack(['compose', 'Tone', '--case', 'greeting', '--json'], { cwd: project() });
    expect(JSON.stringify(JSON.parse(stdout))).toContain(unseen);
  });

  test('nor has a line of the log', () => {
    const lines: string[] = [];
    createNodeLogger('info', (line) => void lines.push(line)).log('info', unseen, { text: unseen });
    expect(lines.join('')).not.toMatch(raw);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ message: unseen, text: unseen });
  });
});
