import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { agentstack, cliFile, offlineProfile, read, temporaryProject, toneAgent, toneProject, write } from './command.js';

/** A text editor that replaces one text by another. */
function editor(cwd: string, from: string, to: string) {
  const script = `const fs = require('node:fs');
const file = process.argv.at(-1);
fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(${JSON.stringify(from)}, ${JSON.stringify(to)}));`;
  write(cwd, 'editor.cjs', script);
  return { EDITOR: `"${process.execPath}" "${join(cwd, 'editor.cjs')}"` };
}

/** Runs the command as at a terminal, answers each stop in turn, and kills it at the first stop that has no answer. */
async function killedAtStop(cwd: string, args: readonly string[], answers: readonly string[], env: object): Promise<string> {
  write(cwd, 'terminal.cjs', 'for (const stream of [process.stdin, process.stderr]) stream.isTTY = true;');
  const child = spawn(process.execPath, ['--require', join(cwd, 'terminal.cjs'), cliFile, ...args], {
    cwd,
    env: { ...process.env, ...env },
  });
  let shown = '';
  let asked = 0;
  const closed = new Promise((resolve) => child.on('close', resolve));
  child.stderr.on('data', (chunk: Buffer) => {
    shown += chunk.toString('utf8');
    for (const questions = shown.split('uit the run >').length - 1; asked < questions; asked += 1) {
      const answer = answers[asked];
      if (answer === undefined) child.kill('SIGKILL');
      else child.stdin.write(`${answer}\n`);
    }
  });
  await closed;
  expect(child.signalCode).toBe('SIGKILL');
  return shown;
}

const stopsIn = (text: string) => [...text.matchAll(/Stopped ([^\n]*)/g)].map(([, stop = '']) => stop.replace(/[^\x20-\x7e].*/, ''));

async function resumed(cwd: string, ...args: readonly string[]) {
  const stdin = Object.assign(Readable.from([Buffer.from('\n\n\n\n')]), { isTTY: true });
  const { code, stderr, stdout } = await agentstack(['runs', 'resume', 'last', ...args], { cwd, stdin, columns: 100 });
  return { code, stops: stopsIn(stderr), stderr, stdout };
}

test('an agent that was killed at a stop resumes at it, with what was changed before', async () => {
  const cwd = toneProject();
  const args = ['run', 'Tone', '--case', 'greeting', '--durable', '--step'];
  const shown = await killedAtStop(cwd, args, ['e', 's'], editor(cwd, 'A friendly hello', 'A formal letter'));
  expect(stopsIn(shown)).toEqual(['before call 1 of Tone@v1', 'after the answer of call 1 of Tone@v1']);
  const { code, stops, stderr } = await resumed(cwd, '--step');
  expect(stops).toEqual(['after the answer of call 1 of Tone@v1']);
  expect(code).toBe(0);
  expect(stderr).toContain('1 value changed by hand');
  const list = await agentstack(['runs', 'list', '--json'], { cwd });
  expect(JSON.parse(list.stdout)).toMatchObject({ runs: [{ state: 'completed', edits: 1 }] });
});

test('an orchestration that was killed at a stop resumes at it, with the context that was changed at a route before', async () => {
  const team = (next: string | null) => ({
    tasks: [{ name: 'tone', agent: 'Tone@v1', input: { text: '{{context.text}}' } }],
    routing: { default: next },
  });
  const cwd = temporaryProject({
    'config/agents/Tone/v1.json': toneAgent,
    'config/llms/offline.json': offlineProfile,
    'config/orchestrations/judge.json': {
      name: 'judge',
      entry_team: 'a',
      context: { text: 'A friendly hello', level: 1 },
      teams: { a: { name: 'a', ...team('b') }, b: { name: 'b', ...team(null) } },
    },
  });
  const args = ['orchestrate', 'judge', '--llm', 'offline', '--break', 'before-call,at-route'];
  const shown = await killedAtStop(cwd, args, ['', 'e', ''], editor(cwd, 'A friendly hello', 'A formal letter'));
  expect(stopsIn(shown).slice(-2)).toEqual(['at the route of team a: the default leads to b', 'before call 1 of Tone@v1 (b/tone)']);
  const { code, stops, stdout, stderr } = await resumed(cwd, '--break', 'before-call,at-route');
  expect(stops).toEqual(['before call 1 of Tone@v1 (b/tone)', 'at the route of team b: the default ends the run']);
  expect(code).toBe(0);
  expect(stderr).toContain('A formal letter');
  expect(JSON.parse(stdout)).toMatchObject({ context: { text: 'A formal letter' } });
});

test('without --break it goes on to its end, with the change', async () => {
  const cwd = toneProject();
  await killedAtStop(cwd, ['run', 'Tone', '--case', 'greeting', '--durable', '--step'], ['e', 's'], editor(cwd, 'A friendly', 'A formal'));
  const { code, stdout } = await agentstack(['runs', 'resume', 'last'], { cwd });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toHaveProperty('tone');
  expect(read(cwd, '.agentstack/.gitignore')).toBe('*\n');
});
