import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { cliFile, repository, temporaryProject, toneAgent, toneProject, write } from '../cli/command.js';
import { blocksOf } from '../docs/pages.js';
import { gitIn } from '../support/gitIn.js';
import { testWith } from '../support/needs.js';

const path = 'config/agents/Tone/v1.json';
const action = readFileSync(join(repository, 'action.yml'), 'utf8');
/** What the steps run. */
const [script = '', sarifScript = '', reportScript = ''] = [...action.matchAll(/^ {6}run: (.+)$/gm)].map(([, text]) => text ?? '');

/** `npx agent-stack` is the built command here; its package is named on stderr. */
const npx = `#!/usr/bin/env bash\n[[ $1 == --yes ]] || exit 9\necho "npx $2" >&2\nshift 2\nexec "${process.execPath}" "${cliFile}" "$@"\n`;

/** `gh` is a script that keeps what it is given. It answers with the comments in `$COMMENTS`, nodes of GraphQL, through the filter of the step. */
const gh = `#!/usr/bin/env node
const { spawnSync } = require('node:child_process');
const { appendFileSync, readFileSync, writeFileSync } = require('node:fs');
const [args, { GH_LOG, COMMENTS }] = [process.argv.slice(2), process.env];
const body = args.find((word) => word.startsWith('body=@'));
if (body) writeFileSync(GH_LOG + '.body', readFileSync(body.slice('body=@'.length)));
appendFileSync(GH_LOG, args.join(' ').replace(/\\s+/g, ' ') + '\\n');
const input = '{"data": {"repository": {"pullRequest": {"comments": {"nodes": ' + COMMENTS + '}}}}}';
if (COMMENTS && args.includes('--jq')) spawnSync('jq', [args[args.indexOf('--jq') + 1]], { input, stdio: ['pipe', 'inherit', 'inherit'] });
`;

function runAction(cwd: string, variables: Readonly<Record<string, string>>, step = script) {
  const bin = temporaryProject({ npx, gh });
  for (const name of ['npx', 'gh']) chmodSync(join(bin, name), 0o755);
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH: `${bin}:${PATH}`, HOME, GITHUB_ACTION_PATH: repository, GITHUB_WORKSPACE: cwd, ...variables };
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-c', step], { cwd, env, encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** A branch that changes a schema under the same version, with `main` at its origin. */
function branch(): { readonly cwd: string; readonly before: string } {
  const origin = toneProject();
  gitIn(origin, 'init', '--quiet', '--initial-branch=main');
  gitIn(origin, 'add', '.');
  gitIn(origin, 'commit', '--quiet', '-m', 'Begin');
  const clone = temporaryProject({});
  gitIn(clone, 'clone', '--quiet', origin, 'work');
  const cwd = join(clone, 'work');
  const { output_schema } = toneAgent;
  const changed = { ...output_schema, properties: { tone: { type: 'string', enum: ['friendly'] } } };
  write(cwd, path, { ...toneAgent, output_schema: changed, enums: { tone: ['friendly'] } });
  gitIn(cwd, 'commit', '--quiet', '-am', 'Change');
  return { cwd, before: gitIn(cwd, 'rev-parse', 'HEAD~1') };
}

describe('the GitHub Action', () => {
  test('compares a pull request with its target, and marks what it finds', () => {
    const { status, stdout, stderr } = runAction(branch().cwd, { EVENT_NAME: 'pull_request', GITHUB_BASE_REF: 'main' });
    expect(stdout).toMatch(new RegExp(`^::error .*file=${path},.*schema-changed-in-place`, 'm'));
    expect(stderr).toContain('npx agent-stack\n');
    expect(status).toBe(1);
  });

  test('compares a push with what the branch was before', () => {
    const { cwd, before } = branch();
    expect(runAction(cwd, { EVENT_NAME: 'push', BEFORE: before })).toMatchObject({ status: 1 });
    expect(runAction(cwd, { EVENT_NAME: 'push', BEFORE: before, BASE: 'none' })).toMatchObject({ status: 0, stdout: '' });
  });

  test('compares with nothing on the first push of a branch, and says so where the commit is missing', () => {
    const { cwd } = branch();
    expect(runAction(cwd, { EVENT_NAME: 'push', BEFORE: '0'.repeat(40) })).toMatchObject({ status: 0, stdout: '' });
    const { status, stdout } = runAction(cwd, { EVENT_NAME: 'push', BEFORE: 'a'.repeat(40) });
    expect(stdout).toContain('::notice::Not compared with');
    expect(stdout).toContain('fetch-depth: 0');
    expect(status).toBe(0);
  });

  test('passes its inputs on, and runs no text of theirs', () => {
    const { cwd } = branch();
    const { status, stderr } = runAction(cwd, { VERSION: '1.2.3', ENVIRONMENT: '$(touch pwned); x', MAX_WARNINGS: '0' });
    expect(stderr).toContain('npx agent-stack@1.2.3\n');
    expect(stderr).toContain('There is no environment "$(touch pwned); x"');
    expect(status).toBe(2);
    expect(gitIn(cwd, 'status', '--porcelain')).toBe('');
  });

  test('gives the step every input that it has', () => {
    const inputs = /^inputs:\n([\s\S]*?)^runs:/m.exec(action)?.[1]?.match(/^ {2}[\w-]+(?=:)/gm) ?? [];
    expect(inputs.length).toBeGreaterThan(3);
    for (const name of inputs) expect(action).toMatch(new RegExp(`inputs[.]${name.trim()}(?![\\w-])`));
  });

  test('writes findings for code scanning, which is not a failure by itself', () => {
    const { cwd } = branch();
    write(cwd, path, { ...toneAgent, llm_config_id: 'gone' });
    expect(runAction(cwd, { RUNNER_TEMP: cwd }, sarifScript)).toMatchObject({ status: 0, stdout: '' });
    const { runs } = JSON.parse(readFileSync(join(cwd, 'agent-stack.sarif'), 'utf8'));
    expect(runs[0].results).toContainEqual(expect.objectContaining({ ruleId: 'unknown-llm' }));
    expect(runAction(cwd, { RUNNER_TEMP: cwd, ENVIRONMENT: 'gone' }, sarifScript).status).toBe(2);
  });

  testWith('jq', 'comments with what came of the cases, once for a pull request', () => {
    const { cwd } = branch();
    const expected = { input: { text: 'Hi' }, expect: [{ output_field: 'tone', operator: 'equals', value: 'friendly' }] };
    write(cwd, 'config/payloads/Tone/polite.json', expected);
    const log = join(cwd, 'gh.log');
    const variables = {
      EVAL: 'true',
      RUNNER_TEMP: cwd,
      GITHUB_STEP_SUMMARY: join(cwd, 'summary.md'),
      GITHUB_REPOSITORY: 'a/b',
      PULL_REQUEST: '7',
      GH_LOG: log,
    };
    const first = runAction(cwd, variables, reportScript);
    expect([first.status, first.stderr]).toEqual([0, expect.stringContaining('npx agent-stack')]);
    const body = readFileSync(`${log}.body`, 'utf8');
    expect(body).toMatch(/^<!-- agent-stack eval \. -->\n/);
    expect(body).toContain('polite');
    expect(readFileSync(join(cwd, 'summary.md'), 'utf8')).toBe(body);
    expect(readFileSync(log, 'utf8')).toMatch(/--method POST repos[/]a[/]b[/]issues[/]7[/]comments /);
    const comments = [
      { databaseId: 41, viewerDidAuthor: false, body },
      { databaseId: 42, viewerDidAuthor: true, body: 'Thanks!' },
      { databaseId: 40, viewerDidAuthor: true, body: body.replace('eval .', 'eval other') },
      { databaseId: 43, viewerDidAuthor: true, body },
      { databaseId: 44, viewerDidAuthor: true, body },
    ];
    runAction(cwd, { ...variables, COMMENTS: JSON.stringify(comments) }, reportScript);
    expect(readFileSync(log, 'utf8')).toMatch(/--method PATCH repos[/]a[/]b[/]issues[/]comments[/]43 /);
    expect(readFileSync(log, 'utf8')).not.toMatch(/PATCH .*[/]4[0124] /);
    expect(runAction(cwd, { ...variables, MAX_COST: 'much' }, reportScript).status).toBe(2);
    expect(readFileSync(log, 'utf8').match(/--method/g)).toHaveLength(2);
  });

  test('shows the report of an eval that was paid for, whatever its exit code is', () => {
    const { cwd } = branch();
    const variables = {
      EVAL: 'true',
      RUNNER_TEMP: cwd,
      GITHUB_STEP_SUMMARY: join(cwd, 'summary.md'),
      GITHUB_REPOSITORY: 'a/b',
      GH_LOG: join(cwd, 'gh.log'),
    };
    for (const code of [0, 1, 3, 130]) {
      const script = `npx() { echo "## Eval ${code}"; return ${code}; }; export -f npx; ${reportScript}`;
      expect(runAction(cwd, { ...variables, PULL_REQUEST: '7' }, script).status).toBe(code);
      expect(readFileSync(variables.GITHUB_STEP_SUMMARY, 'utf8')).toContain(`## Eval ${code}\n`);
      expect(readFileSync(`${variables.GH_LOG}.body`, 'utf8')).toContain(`## Eval ${code}\n`);
    }
  });
});

describe('the comment of the GitHub Action on what changes', () => {
  /** The variables of the step for a pull request to `main`. */
  const pullRequest = (cwd: string) => ({
    DIFF: 'true',
    EVENT_NAME: 'pull_request',
    GITHUB_BASE_REF: 'main',
    RUNNER_TEMP: cwd,
    GITHUB_STEP_SUMMARY: join(cwd, 'summary.md'),
    GITHUB_REPOSITORY: 'a/b',
    PULL_REQUEST: '7',
    GH_LOG: join(cwd, 'gh.log'),
  });
  const bodyOf = ({ GH_LOG }: { readonly GH_LOG: string }) => readFileSync(`${GH_LOG}.body`, 'utf8');

  test('says what changed since the pull request began, whatever its target has by now', () => {
    const { cwd } = branch();
    // The target goes on, and another agent appears there.
    const origin = gitIn(cwd, 'remote', 'get-url', 'origin');
    write(origin, 'config/agents/Other/v1.json', { ...toneAgent, agent_name: 'Other' });
    gitIn(origin, 'add', '.');
    gitIn(origin, 'commit', '--quiet', '-m', 'Go on');
    gitIn(cwd, 'fetch', '--quiet');
    const variables = pullRequest(cwd);
    const { status, stderr } = runAction(cwd, variables, reportScript);
    expect([status, stderr]).toEqual([0, expect.stringContaining('npx agent-stack')]);
    const body = bodyOf(variables);
    expect(body).toMatch(/^<!-- agent-stack eval \. -->\n## 1 agent changes/);
    expect(body).toContain('agent Tone');
    expect(body).not.toContain('Other');
    expect(readFileSync(variables.GITHUB_STEP_SUMMARY, 'utf8')).toBe(body);
  });

  test('is one with the evals', () => {
    const { cwd } = branch();
    const expected = { input: { text: 'Hi' }, expect: [{ output_field: 'tone', operator: 'equals', value: 'friendly' }] };
    write(cwd, 'config/payloads/Tone/polite.json', expected);
    const variables = { ...pullRequest(cwd), EVAL: 'true' };
    expect(runAction(cwd, variables, reportScript).status).toBe(0);
    expect(bodyOf(variables)).toMatch(/## 1 agent changes[\s\S]*\n\n## Eval/);
    expect(readFileSync(variables.GH_LOG, 'utf8').match(/--method/g)).toHaveLength(1);
  });

  test('comes too where something of fail-on changed, which fails the step', () => {
    const { cwd } = branch();
    write(cwd, path, { ...toneAgent, llm_config_id: 'gone' });
    const variables = { ...pullRequest(cwd), FAIL_ON: 'breaking, cost:+10%' };
    const { status, stderr } = runAction(cwd, variables, reportScript);
    expect([status, stderr]).toEqual([1, expect.stringContaining('agent Tone@v1 cannot run')]);
    expect(bodyOf(variables)).toContain('agent Tone');
    const wrong = runAction(cwd, { ...variables, FAIL_ON: '* $(touch pwned)' }, reportScript);
    expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining('breaking, widening or cost')]);
    expect(gitIn(cwd, 'status', '--porcelain')).not.toContain('pwned');
  });

  test('asks for the history in a shallow clone', () => {
    const { cwd } = branch();
    const shallow = temporaryProject({});
    gitIn(cwd, 'switch', '--quiet', '--create', 'pull');
    gitIn(shallow, 'clone', '--quiet', '--depth', '1', `file://${cwd}`, 'work');
    const work = join(shallow, 'work');
    const { status, stdout } = runAction(work, pullRequest(work), reportScript);
    expect(stdout).toMatch(/^::error::.*fetch-depth: 0/m);
    expect(status).toBe(2);
    // What a push is compared with is left out, as where the branch is new.
    const pushed = { ...pullRequest(work), EVENT_NAME: 'push', BEFORE: 'a'.repeat(40), PULL_REQUEST: '' };
    expect(runAction(work, pushed, reportScript)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('::notice::Not compared with'),
    });
  });

  test('leaves what has no room to the summary of the job', () => {
    const { cwd } = branch();
    const variables = { ...pullRequest(cwd), EVAL: 'true' };
    const long = `npx() { [[ $3 == diff ]] && printf '%060000d' 0 || printf 'Evals %010000d' 0; }; export -f npx; ${reportScript}`;
    expect(runAction(cwd, variables, long).status).toBe(0);
    expect(bodyOf(variables)).toMatch(/^<!--.*-->\nEvals 0+\nWhat changes is in the summary of the job/);
    expect(readFileSync(variables.GITHUB_STEP_SUMMARY, 'utf8').length).toBeGreaterThan(70_000);
  });
});

describe('a pull request without the key of its model', () => {
  const unknown = () => {
    const { cwd } = branch();
    write(cwd, 'config/llms/real.json', {
      llm_id: 'real',
      provider: 'openai',
      model_name: 'gpt-5.4-mini',
      api_key: 'secret://openai_api_key',
    });
    write(cwd, path, { ...toneAgent, llm_config_id: 'real' });
    const expected = { input: { text: 'Hi' }, expect: [{ output_field: 'tone', operator: 'equals', value: 'friendly' }], tags: ['smoke'] };
    write(cwd, 'config/payloads/Tone/polite.json', expected);
    const [summary, log] = [join(cwd, 'summary.md'), join(cwd, 'gh.log')];
    return {
      cwd,
      summary,
      log,
      variables: { EVAL: 'true', RUNNER_TEMP: cwd, GITHUB_STEP_SUMMARY: summary, GITHUB_REPOSITORY: 'a/b', GH_LOG: log },
    };
  };

  test('has the report of the Action, which ends with 3', () => {
    const { cwd, summary, log, variables } = unknown();
    const { status } = runAction(cwd, { ...variables, PULL_REQUEST: '7' }, reportScript);
    expect(status).toBe(3);
    for (const file of [summary, `${log}.body`])
      expect(readFileSync(file, 'utf8')).toMatch(/## Eval could not be judged[\s\S]*The key is missing/);
  });

  test('has the report of the workflow of docs/evals.md, whose step ends with 3', () => {
    const { cwd, summary, log, variables } = unknown();
    const workflow = blocksOf('docs/evals.md').find(({ file }) => file === '.github/workflows/evals.yml')?.text ?? '';
    const { jobs } = parse(workflow) as { jobs: { evals: { steps: readonly { readonly if?: string; readonly run?: string }[] } } };
    const isRun = (condition: string | undefined) => condition !== undefined && !condition.includes("'schedule'");
    const steps = jobs.evals.steps.flatMap((step) => (step.run !== undefined && isRun(step.if) ? [step.run] : []));
    const results = steps.map((step) =>
      runAction(
        cwd,
        variables,
        step.replaceAll('npx agent-stack', 'npx --yes agent-stack').replaceAll('${{ github.event.pull_request.number }}', '7'),
      ),
    );
    expect(results.map(({ status }) => status)).toEqual([3, 0, 0]);
    expect(readFileSync(summary, 'utf8')).toContain('## Eval could not be judged');
    expect(readFileSync(log, 'utf8')).toContain('pr comment 7 --body-file eval.md');
  });
});

test('the pre-commit hook is a command that there is', () => {
  const hook = readFileSync(join(repository, '.pre-commit-hooks.yaml'), 'utf8');
  const [name, ...args] = /entry: (.+)/.exec(hook)?.[1]?.split(' ') ?? [];
  expect(name).toBe('agent-stack');
  const cwd = branch().cwd;
  const { status, stdout } = spawnSync(process.execPath, [cliFile, ...args], { cwd, encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, 'No problems in 0 files.\n']);
});
