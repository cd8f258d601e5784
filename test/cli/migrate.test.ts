import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { validateMigration } from '../support/validateRun.js';
import { agentstack, read, temporaryProject } from './command.js';

const facts = { context_window: 128000, max_output_tokens: 16384, price: { input: 2, output: 8 } };
const files = {
  'agentstack.json': { models: { old: { ...facts, deprecated: true }, new: { ...facts, price: { input: 2.5, output: 8 } } } },
  'config/llms/main.json': '{\n  "llm_id": "main",\n  "provider": "openai",\n  "model_name": "old"\n}\n',
  'config/agents/A/v1.json': { agent_name: 'A', version: 'v1', llm_config_id: 'main', system_text: 'Answer.' },
  'config/agents/B/v1.json': { agent_name: 'B', version: 'v1', model_name: 'old', system_text: 'Answer `|`.', expose: true },
};
const move = ['migrate', '--from', 'old', '--to', 'new'];

describe('migrate', () => {
  test('shows what changes, and writes nothing', async () => {
    const cwd = temporaryProject(files);
    const { code, stdout, stderr } = await agentstack(move, { cwd });
    expect(stdout).toContain('old -> new (openai)\n  config/llms/main.json /model_name: in place\n');
    expect(stdout).toContain('config/agents/B/v1.json /model_name: new version config/agents/B/v2.json, since it is exposed');
    expect(stdout).toMatch(/\n {2}A@v1 +fits +2, 8 -> 2\.5, 8 /);
    expect(stdout).toContain('2 agents: 2 fit. Prices rise by at most 25 %.');
    expect(stdout).toContain('-  "model_name": "old"\n+  "model_name": "new"\n');
    expect(stderr).toBe('Nothing was written. --apply would write 2 files.\n');
    expect([code, read(cwd, 'config/llms/main.json')]).toEqual([0, files['config/llms/main.json']]);
  });

  test('writes with --yes where no price rises by more than is said', async () => {
    const cwd = temporaryProject(files);
    const apply = [...move, '--apply', '--yes', '--max-price-change'];
    expect(await agentstack([...apply, '24'], { cwd })).toMatchObject({
      code: 2,
      stderr: 'error: Prices rise by at most 25 %. That is more than --max-price-change allows. Nothing was written.\n',
    });
    expect(readdirSync(join(cwd, 'config/agents/B'))).toEqual(['v1.json']);
    const { code, stderr } = await agentstack([...apply, '25'], { cwd });
    expect([code, stderr]).toEqual([0, 'Wrote 2 files.\n']);
    expect(read(cwd, 'config/llms/main.json')).toBe(files['config/llms/main.json'].replace('"old"', '"new"'));
    expect(JSON.parse(read(cwd, 'config/agents/B/v2.json'))).toMatchObject({ version: 'v2', model_name: 'new' });
    expect(await agentstack(['check'], { cwd })).toMatchObject({ code: 0 });
  });

  test.each([
    [['--apply'], '--apply asks before it writes, and no one can answer here. Prices rise by at most 25 %.'],
    [['--apply', '--yes'], '--yes needs --max-price-change PERCENT'],
    [['--yes'], '--yes and --max-price-change go with --apply.'],
    [['--from', 'nobody'], 'Nothing here uses nobody. In use: old.'],
    [['--from', 'new'], '--from and --to are the same model.'],
    [['--environment', 'prod'], 'There is no environment "prod"'],
    [['C'], 'No agent or orchestration that names a model is called "C".'],
    [['A@v2'], 'No agent or orchestration that names a model is called "A@v2".'],
    [['--to', ' '], '--from and --to need the name of a model.'],
  ])('refuses %j', async (args, message) => {
    const cwd = temporaryProject(files);
    const { code, stderr } = await agentstack([...move, ...args], { cwd });
    expect([code, read(cwd, 'config/llms/main.json')]).toEqual([2, files['config/llms/main.json']]);
    expect(stderr).toContain(message);
  });

  test('with a price that is not known there is no maximum', async () => {
    const cwd = temporaryProject(files);
    const { code, stderr } = await agentstack(
      [...move, '--to', 'nobody', '--apply', '--allow-unknown', '--yes', '--max-price-change', '0'],
      { cwd },
    );
    expect([code, read(cwd, 'config/llms/main.json')]).toEqual([2, files['config/llms/main.json']]);
    expect(stderr).toContain('A price is not known, so --max-price-change cannot hold.');
  });

  test('a model that does not fit ends with 1, one nobody knows with 3', async () => {
    const cwd = temporaryProject(files);
    expect((await agentstack([...move, '--to', 'claude-opus-5'], { cwd })).code).toBe(1);
    expect((await agentstack([...move, '--to', 'nobody'], { cwd })).code).toBe(3);
  });

  test('without --from it moves what ends, and says where there is no successor', async () => {
    const cwd = temporaryProject(files);
    const { code, stdout } = await agentstack(['migrate'], { cwd });
    expect([code, stdout]).toEqual([3, expect.stringContaining('old -> ? (openai)')]);
    const current = temporaryProject({ ...files, 'agentstack.json': {} });
    expect(await agentstack(['migrate'], { cwd: current })).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No model in use is known to end. In use: old.\n',
    });
  });

  test('says when the old model ends, and of a day that has come, when it ended', async () => {
    const ending = (ends: string) => ({ models: { ...files['agentstack.json'].models, old: { ...facts, ends, successor: 'new' } } });
    const past = temporaryProject({ ...files, 'agentstack.json': ending('2020-01-01') });
    expect((await agentstack(['migrate'], { cwd: past })).stdout).toMatch(
      /^old -> new \(openai\): old ended on 2020-01-01, \d+ days ago; its provider names the successor\n/,
    );
    const future = temporaryProject({ ...files, 'agentstack.json': ending('2999-01-01') });
    expect((await agentstack(['migrate', '--format', 'markdown'], { cwd: future })).stdout).toMatch(/old ends on 2999-01-01, in \d+ days/);
  });

  test('as JSON it fits its schema, and as Markdown nothing of a file is markup', async () => {
    const cwd = temporaryProject(files);
    const { stdout } = await agentstack([...move, '--json'], { cwd });
    expect(validateMigration(JSON.parse(stdout))).toEqual([]);
    const markdown = (await agentstack([...move, '--to', '`x|<b>@me', '--format', 'markdown'], { cwd })).stdout;
    expect(markdown).toContain('old -&#62; &#96;x&#124;&#60;b&#62;');
    expect(markdown).not.toMatch(/<b>|@me/);
  });
});
