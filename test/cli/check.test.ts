import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { toJsonReport } from '../../cli/reports/json.js';
import { checkProject } from '../../core/check/checkProject.js';
import { createNodeFiles } from '../../core/node/nodeFiles.js';
import { toolRuleFacts } from '../../core/otherTools/index.js';
import { ruleCodes } from '../../core/ruleCodes.js';
import { agentstack, cleanEnvironment, cliFile, repository, temporaryProject, toneAgent, toneProject, write } from './command.js';

const path = 'config/agents/Tone/v1.json';

/** Two errors, one of them with a related place, and a warning. */
const faulty = `{
	"agent_name": "Tone",
	"version": "v1",
	"mode": "Chooser",
	"system_text": "名前 judges how a text sounds.",
	"purpose_text": "Choose the tone.", "temprature": 1,
	"output_schema": {
		"type": "object",
		"additionalProperties": false,
		"required": ["tone"],
		"properties": { "tone": { "type": "string", "enum": ["friendly", "formal"] } }
	},
	"enums": { "tone": ["friendly", "frmal"] },
	"max_output_tokens": "lots"
}
`;

const faultyProject = () => toneProject({ [path]: faulty });

/** Fix lines are the rule pages' own words; here only where they stand matters. */
const withoutFixWords = (text: string) => text.replace(/^ {2}fix .+$/gm, '  fix ...');

describe('--environment', () => {
  const project = () =>
    toneProject({
      'config/environments/prod.json': { agent_defaults: { llm_config_id: 'large' } },
      'config/environments/stage.json': {},
    });

  test('checks what holds there, and not what holds elsewhere', async () => {
    const cwd = project();
    for (const option of ['--env', '--environment']) {
      const { code, stdout } = await agentstack(['check', option, 'prod', '--json'], { cwd });
      const { findings } = JSON.parse(stdout) as { findings: readonly { code: string; message: string }[] };
      expect(findings.map(({ message }) => message).join('\n')).toContain('"large"');
      expect(code).toBe(1);
    }
    expect(await agentstack(['check', '--env', 'stage', path], { cwd })).toMatchObject({ code: 0 });
  });

  test('is every one where none is named: what fails in production is told, with where', async () => {
    const { code, stdout } = await agentstack(['check'], { cwd: project() });
    expect(code).toBe(1);
    expect(stdout.match(/unknown-llm/g)).toHaveLength(1);
    expect(stdout).toContain(' files, environments dev, prod, stage.');
    const cost = await agentstack(['check', '--max-cost', '0.000001'], { cwd: repository });
    expect(cost.stdout).toMatch(/A2[/]v1\.json.* error cost-above-budget .* \(environment prod\)/);
  });

  test('without a file ends the check', async () => {
    const { code, stdout, stderr } = await agentstack(['check', '--env', 'prd'], { cwd: project() });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('There is no environment "prd": environments/prd.json does not exist. Did you mean "prod"?');
  });
});

describe('text', () => {
  test('shows findings as a compiler does: place, severity, code, message, frame, other places, fix', async () => {
    const { code, stdout, stderr } = await agentstack(['check'], { cwd: faultyProject() });
    expect(withoutFixWords(stdout)).toBe(`${path}:6:38 warning unknown-property Nothing reads "temprature" here. Did you mean "temperature"?
    5 |     "system_text": "名前 judges how a text sounds.",
  > 6 |     "purpose_text": "Choose the tone.", "temprature": 1,
      |                                         ^^^^^^^^^^^^
    7 |     "output_schema": {
  fix ...

${path}:13:34 error enums-match-schema The values of "tone" differ: only in enums "frmal", only in output_schema "formal".
    12 |     },
  > 13 |     "enums": { "tone": ["friendly", "frmal"] },
       |                                     ^^^^^^^
    14 |     "max_output_tokens": "lots"
  see ${path}:11:55 output_schema allows "friendly" and "formal".
  fix ...

${path}:14:23 error schema max_output_tokens must be a whole number, not "lots".
    13 |     "enums": { "tone": ["friendly", "frmal"] },
  > 14 |     "max_output_tokens": "lots"
       |                          ^^^^^^
    15 | }

2 errors and 1 warning in 3 files.
`);
    expect(stderr).toBe('');
    expect(code).toBe(1);
  });

  test('says how to fix this finding, as the editor offers it', async () => {
    const { stdout } = await agentstack(['check'], { cwd: faultyProject() });
    expect(stdout.match(/^ {2}fix .*$/gm)).toEqual([
      '  fix Rename to "temperature", or remove "temprature"',
      '  fix Copy the values of the schema to enums.tone, or copy the values of enums.tone to the schema',
    ]);
  });

  test('says it in the words of the rule page where a rule has no fix, and not where a finding has none', async () => {
    const cwd = toneProject({
      [path]: {
        ...toneAgent,
        purpose_text: 'Choose. (Rest of the text)',
        max_output_tokens: 'lots',
        model_name: 'gpt-4-32k',
        provider: 'openai',
      },
    });
    const { stdout } = await agentstack(['check'], { cwd });
    expect(stdout.match(/(?<=^ {2}fix ).*$/gm)).toEqual([
      'By hand: write the intended text. Notes for people belong in description.',
      'Change to "gpt-6-luna", "gpt-5.5" or "gpt-5.4"',
      expect.stringMatching(/^By hand: refer to it/),
    ]);
  });

  test('says that nothing is wrong, and exits 0', async () => {
    expect(await agentstack(['check'], { cwd: toneProject() })).toEqual({ code: 0, stdout: 'No problems in 3 files.\n', stderr: '' });
  });

  test('has nothing to say about the sample project', async () => {
    // The fixtures of this repository have faults on purpose.
    const { code, stdout } = await agentstack(['check', 'config', '--max-warnings', '0'], { cwd: repository });
    expect(stdout).toMatch(/^Other tools: .*\n(?: {2}.*\n)*\nNo problems in \d+ files, environments dev, prod\.\n$/);
    expect(code).toBe(0);
  });

  test('writes paths from the working directory', async () => {
    const cwd = faultyProject();
    const { stdout } = await agentstack(['check'], { cwd: join(cwd, 'config', 'llms') });
    expect(stdout).toContain('\n../agents/Tone/v1.json:14:23 error schema ');
  });

  test('lets no file draw on the terminal', async () => {
    const hostile = { ...toneAgent, '\u009b2J\u202e': '\u009b2J' };
    const { stdout } = await agentstack(['check'], { cwd: toneProject({ [path]: hostile }), env: { FORCE_COLOR: '1' } });
    // What is left after our own colours were taken out.
    const rest = stdout
      .split('\u001b[')
      .map((part, index) => (index === 0 ? part : part.replace(/^\d+m/, '')))
      .join('');
    expect([...rest].filter((character) => character !== '\n' && '\u001b\u009b\u202e'.includes(character))).toEqual([]);
    expect(stdout).toContain('<U+202E>');
  });

  test('colours a terminal only, unless it is told otherwise', async () => {
    const cwd = faultyProject();
    const colours = async (args: string[], env: Record<string, string> = {}) =>
      (await agentstack(['check', ...args], { cwd, env })).stdout.includes('\u001b[');
    expect(await colours([])).toBe(false);
    expect(await colours([], { FORCE_COLOR: '1' })).toBe(true);
    expect(await colours(['--no-color'], { FORCE_COLOR: '1' })).toBe(false);
    expect(await colours([], { FORCE_COLOR: '1', NO_COLOR: '1' })).toBe(false);
    expect(await colours([], { FORCE_COLOR: '0' })).toBe(false);
  });
});

describe('exit codes', () => {
  const warning = { ...toneAgent, temprature: 1 };

  test('warnings alone are no failure, more than allowed are', async () => {
    const cwd = toneProject({ [path]: warning });
    expect((await agentstack(['check'], { cwd })).code).toBe(0);
    expect((await agentstack(['check', '--max-warnings', '1'], { cwd })).code).toBe(0);
    const { code, stderr } = await agentstack(['check', '--max-warnings', '0'], { cwd });
    expect(stderr).toBe('1 warning, more than the 0 allowed by --max-warnings.\n');
    expect(code).toBe(1);
  });

  test.each([['-1'], ['x'], ['1.5'], ['']])('--max-warnings %j is refused', async (value) => {
    const { code, stderr } = await agentstack(['check', `--max-warnings=${value}`], { cwd: toneProject() });
    expect(stderr).toContain('Expected a whole number');
    expect(code).toBe(2);
  });

  test('what one run may cost can fail a check, in each agent', async () => {
    const priced = { llm_id: 'offline', provider: 'openai', model_name: 'gpt-4.1', max_output_tokens: 100 };
    const others = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`config/agents/T${index}/v1.json`, { ...toneAgent, agent_name: `T${index}` }]),
    );
    const small = toneProject({ 'config/llms/offline.json': priced });
    expect((await agentstack(['check', '--max-cost', '1'], { cwd: small })).code).toBe(0);
    const { code, stdout } = await agentstack(['check', '--max-cost', '.001'], { cwd: small });
    expect(stdout).toMatch(
      /error cost-above-budget A run may cost 0\.0\d+ USD \(at most 1 call\), more than the 0\.001 USD of --max-cost\./,
    );
    expect(code).toBe(1);
    const large = await agentstack(['check', '--max-cost', '.001', '--json'], {
      cwd: toneProject({ 'config/llms/offline.json': priced, ...others }),
    });
    expect(JSON.parse(large.stdout).errors).toBe(21);
    // Without a model there is nothing to pay.
    expect((await agentstack(['check', '--max-cost', '0'], { cwd: toneProject() })).code).toBe(0);
  });

  test.each([['-1'], ['x'], ['1e3'], ['']])('--max-cost %j is refused', async (value) => {
    const { code, stderr } = await agentstack(['check', `--max-cost=${value}`], { cwd: toneProject() });
    expect(stderr).toContain('Expected an amount in USD');
    expect(code).toBe(2);
  });

  test('where there is no file of ours and none of another tool, there is nothing to check', async () => {
    const { code, stdout, stderr } = await agentstack(['check'], { cwd: temporaryProject({ 'README.md': '' }) });
    expect(stderr).toMatch(/^Nothing was checked: .* `agent-stack init` starts a project\.\n$/);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });
});

describe('paths', () => {
  const two = () => toneProject({ [path]: faulty, 'config/agents/Other/v1.json': { ...toneAgent, agent_name: 'Another' } });

  test('a file or folder narrows the report, from the working directory', async () => {
    const cwd = two();
    const files = async (args: string[], at = cwd) => {
      const { findings } = JSON.parse((await agentstack(['check', '--json', ...args], { cwd: at })).stdout) as {
        findings: { file: string }[];
      };
      return [...new Set(findings.map(({ file }) => file))];
    };
    expect(await files([])).toEqual(['config/agents/Other/v1.json', path]);
    expect(await files([path])).toEqual([path]);
    expect(await files(['config/agents/Other/'])).toEqual(['config/agents/Other/v1.json']);
    expect(await files(['Other', 'Tone/v1.json'], join(cwd, 'config/agents'))).toEqual(['config/agents/Other/v1.json', path]);
    expect(await files([join(cwd, path)], repository)).toEqual([path]);
  });

  test('a path to nothing is an error, not a clean report', async () => {
    const cwd = two();
    const { code, stderr } = await agentstack(['check', 'config/agents/Tone', 'config/nope'], { cwd });
    expect(stderr).toBe('error: There is no file or folder config/nope.\n');
    expect(code).toBe(2);
  });

  test('paths with nothing to check are told, and are no success', async () => {
    const cwd = toneProject({ 'config/agents/Crew/v1.json': { object: 'assistant', name: 'Crew' } });
    const { code, stdout, stderr } = await agentstack(['check', 'config/agents/Crew'], { cwd });
    expect(stdout).toContain('foreign-file This looks like an OpenAI assistant');
    expect(stderr).toBe('Nothing was checked: config/agents/Crew holds no config file of Agent Stack.\n');
    expect(code).toBe(2);
    expect((await agentstack(['check'], { cwd })).code).toBe(0);
    const empty = temporaryProject({ 'config/agents/readme.txt': '' });
    expect(await agentstack(['check'], { cwd: empty })).toMatchObject({ code: 2 });
  });

  test('a path out of the project is refused', async () => {
    const cwd = two();
    const { code, stderr } = await agentstack(['check', path, '../elsewhere.json'], { cwd });
    expect(stderr).toContain('../elsewhere.json is not in the project');
    expect(code).toBe(2);
  });

  test('--project names a project from anywhere, before and after the verb, and nothing but a project', async () => {
    const cwd = faultyProject();
    expect((await agentstack(['--project', cwd, 'check'], { cwd: repository })).stdout).toContain('2 errors');
    expect((await agentstack(['check', `--project=${cwd}`], { cwd: repository })).stdout).toContain('2 errors');
    const { code, stderr } = await agentstack(['check', '--project', 'config'], { cwd });
    expect(stderr).toContain('config is not a project: it does not hold agentstack.json, or a file of ours under config/agents');
    expect(code).toBe(2);
  });
});

describe('json', () => {
  test('has exactly the documented shape', async () => {
    const cwd = faultyProject();
    const { code, stdout } = await agentstack(['check', '--format', 'json'], { cwd });
    const report = JSON.parse(stdout);
    expect(report).toEqual({ findings: expect.any(Array), files: 3, errors: 2, warnings: 1 });
    expect(report.findings[1]).toEqual({
      file: path,
      line: 13,
      column: 34,
      end_line: 13,
      end_column: 41,
      code: 'enums-match-schema',
      severity: 'error',
      message: 'The values of "tone" differ: only in enums "frmal", only in output_schema "formal".',
      pointer: '/enums/tone/1',
    });
    expect(code).toBe(1);
    expect((await agentstack(['check', '--json'], { cwd })).stdout).toBe(stdout);
  });

  test('counts columns in UTF-16 units', async () => {
    const cwd = toneProject({ [path]: JSON.stringify({ ...toneAgent, '💡': 1 }) });
    const { findings } = JSON.parse((await agentstack(['check', '--json'], { cwd })).stdout);
    const [finding] = findings;
    expect(finding.end_column - finding.column).toBe('"💡"'.length);
  });

  test('is whole where there is nothing to check, and on stdout too where it could not be checked', async () => {
    const cwd = temporaryProject({ 'README.md': '' });
    const nothing = await agentstack(['check', '--json'], { cwd });
    expect(JSON.parse(nothing.stdout)).toEqual({ findings: [], files: 0, errors: 0, warnings: 0 });
    expect(nothing.code).toBe(2);
    const { code, stdout } = await agentstack(['check', 'missing', '--json'], { cwd });
    expect(JSON.parse(stdout)).toEqual({
      error: { code: 'usage', message: expect.stringContaining('no file or folder missing'), recoverable: false },
    });
    expect(code).toBe(2);
  });
});

describe('sarif', () => {
  const {
    $schema: _draft04,
    id: _id,
    ...schema
  } = JSON.parse(readFileSync(join(repository, 'test/fixtures/cli/sarif-2.1.0-rtm.5.json'), 'utf8'));
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
  addFormats.default(ajv);
  const validate = ajv.compile(schema);

  test('meets its schema, with findings and without', async () => {
    for (const cwd of [faultyProject(), toneProject()]) {
      validate(JSON.parse((await agentstack(['check', '--format', 'sarif'], { cwd })).stdout));
      expect(validate.errors).toBeNull();
    }
    expect(validate({ version: '2.1.0', runs: [{ tool: {} }] })).toBe(false);
  });

  test('describes every rule and points every result to its own', async () => {
    const { code, stdout } = await agentstack(['check', '--format', 'sarif'], { cwd: faultyProject() });
    const [run] = JSON.parse(stdout).runs;
    const { rules } = run.tool.driver;
    expect(rules.map((rule: { id: string }) => rule.id)).toEqual([...ruleCodes, ...toolRuleFacts.map(({ code }) => code)]);
    const words = expect.stringMatching(/\w/);
    for (const rule of rules) expect(rule).toMatchObject({ shortDescription: { text: words }, help: { text: words, markdown: words } });
    for (const result of run.results) expect(rules[result.ruleIndex].id).toBe(result.ruleId);
    expect(run.columnKind).toBe('utf16CodeUnits');
    expect(run.results[1]).toMatchObject({
      ruleId: 'enums-match-schema',
      level: 'error',
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: path, uriBaseId: '%SRCROOT%' },
            region: { startLine: 13, startColumn: 34, endLine: 13, endColumn: 41 },
          },
        },
      ],
      relatedLocations: [
        {
          physicalLocation: { region: { startLine: 11, startColumn: 55 } },
          message: { text: expect.stringContaining('output_schema allows') },
        },
      ],
    });
    expect(code).toBe(1);
  });

  test('names files from the root of the checkout, as URIs', async () => {
    const checkout = temporaryProject({ 'my bots/agentstack.json': {}, 'my bots/config/agents/Größe 1/v1.json': '{' });
    const uri = async (cwd: string, env = {}) => {
      const { stdout } = await agentstack(['check', '--format', 'sarif', '--project', join(checkout, 'my bots')], { cwd, env });
      return JSON.parse(stdout).runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri;
    };
    expect(await uri(checkout)).toBe('my%20bots/config/agents/Gr%C3%B6%C3%9Fe%201/v1.json');
    expect(await uri(repository, { GITHUB_WORKSPACE: checkout })).toBe('my%20bots/config/agents/Gr%C3%B6%C3%9Fe%201/v1.json');
    expect(await uri(repository)).toBe('config/agents/Gr%C3%B6%C3%9Fe%201/v1.json');
  });
});

describe('github', () => {
  test('prints one workflow command a finding', async () => {
    const { code, stdout, stderr } = await agentstack(['check', '--format', 'github'], { cwd: faultyProject() });
    expect(stdout).toBe(
      [
        `::warning file=${path},line=6,endLine=6,col=38,endColumn=50,title=unknown-property::Nothing reads "temprature" here. Did you mean "temperature"?`,
        `::error file=${path},line=13,endLine=13,col=34,endColumn=41,title=enums-match-schema::The values of "tone" differ: only in enums "frmal", only in output_schema "formal".`,
        `::error file=${path},line=14,endLine=14,col=23,endColumn=29,title=schema::max_output_tokens must be a whole number, not "lots".`,
        '',
      ].join('\n'),
    );
    expect(stderr).toBe('2 errors and 1 warning in 3 files.\n');
    expect(code).toBe(1);
  });

  test('escapes what would end a property or a message', async () => {
    const cwd = temporaryProject({ 'a,b: 50%/config/agents/Tone/v1.json': { ...toneAgent, model_name: 'x', '100%\n::error::x': 1 } });
    const { stdout } = await agentstack(['check', '--format', 'github', '--project', join(cwd, 'a,b: 50%')], { cwd });
    const line = stdout.split('\n').find((row) => row.includes('unknown-property'));
    expect(line).toContain('file=a%2Cb%3A 50%25/config/agents/Tone/v1.json,');
    expect(line).toContain('100%25');
    expect(stdout).not.toMatch(/^::error::x/m);
  });

  test('prints nothing on stdout when nothing is wrong', async () => {
    expect(await agentstack(['check', '--format', 'github'], { cwd: toneProject() })).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No problems in 3 files.\n',
    });
  });
});

describe('--base', () => {
  const git = (cwd: string, ...args: string[]) => {
    const config = ['-c', 'user.name=T', '-c', 'user.email=t@example.org', '-c', 'commit.gpgsign=false'];
    const { status, stderr } = spawnSync('git', [...config, ...args], { cwd, env: cleanEnvironment(), encoding: 'utf8' });
    expect(stderr && status !== 0 ? stderr : '').toBe('');
  };
  const committed = () => {
    const cwd = toneProject();
    git(cwd, 'init', '--quiet', '--initial-branch=main');
    git(cwd, 'add', '.');
    git(cwd, 'commit', '--quiet', '-m', 'Begin');
    return cwd;
  };

  test('reports a schema that changed under the same version', async () => {
    const cwd = committed();
    expect((await agentstack(['check', '--base', 'main'], { cwd })).stdout).toBe('No problems in 3 files.\n');
    const { output_schema } = toneAgent;
    const changed = { ...output_schema, properties: { tone: { type: 'string', enum: ['friendly'] } } };
    write(cwd, path, { ...toneAgent, output_schema: changed, enums: { tone: ['friendly'] } });
    const { findings } = JSON.parse((await agentstack(['check', '--base', 'main', '--json'], { cwd })).stdout);
    expect(findings.map((finding: { code: string }) => finding.code)).toContain('schema-changed-in-place');
    expect((await agentstack(['check'], { cwd })).stdout).toBe('No problems in 3 files.\n');
  });

  test.each([['nope'], ['--upload-pack=touch x'], ['']])('the revision %j is refused', async (ref) => {
    const { code, stderr } = await agentstack(['check', `--base=${ref}`], { cwd: committed() });
    expect(stderr).toMatch(/^error: .*knows no commit/);
    expect(code).toBe(2);
  });

  test('needs a repository', async () => {
    const { code, stderr } = await agentstack(['check', '--base', 'main'], { cwd: toneProject() });
    expect(stderr).toMatch(/^error: .*no git repository/);
    expect(code).toBe(2);
  });
});

test('broken files are findings, not crashes', async () => {
  const cwd = toneProject({
    'agentstack.json': {},
    'config/agents/Empty/v1.json': '',
    'config/agents/Deep/v1.json': '['.repeat(100_000),
    'config/agents/Binary/v1.json': new Uint8Array([0xff, 0xfe, 0x00, 0xd8]),
    'config/agents/Folder/v1.json/inside.txt': 'x',
    'config/agents/Huge/v1.json': `{"system_text": "${'x'.repeat(11_000_000)}"}`,
    'config/agents/Bom/v1.json': `\ufeff${JSON.stringify({ ...toneAgent, agent_name: 'Bom' }).replaceAll(',', ',\r\n')}`,
  });
  const { code, stdout, stderr } = await agentstack(['check'], { cwd });
  expect(stderr).toBe('');
  for (const name of ['Empty', 'Deep', 'Binary', 'Folder', 'Huge'])
    expect(stdout).toMatch(new RegExp(`^config/agents/${name}/v1.json:1:\\d+ error json-syntax `, 'm'));
  expect(stdout).not.toContain('agents/Bom');
  expect(code).toBe(1);
});

test('a large project has the findings of the library, what takes knowing every file included', async () => {
  const steps = ['A199@v1', 'A1', 'Nobody'].map((agent, at) => ({ name: `step${at}`, agent, input: {} }));
  const plan = { agent_type: 'orchestrating', execution_plan: { steps, output: '{{steps.step0.output}}' } };
  const agents = Object.fromEntries(
    Array.from({ length: 200 }, (_, index) => [
      `config/agents/A${index}/v1.json`,
      index % 5 === 0 ? faulty : { ...toneAgent, agent_name: `A${index}`, ...(index % 25 === 1 && plan) },
    ]),
  );
  const cwd = toneProject({ ...agents, 'config/llms/unused.json': { llm_id: 'unused', provider: 'offline', model_name: 'offline' } });
  const { stdout, code } = await agentstack(['check', '--json'], { cwd });
  const { findings, files } = JSON.parse(stdout);
  const expected = await checkProject({ files: createNodeFiles(cwd), variables: { get: () => undefined } });
  expect(findings).toEqual(JSON.parse(toJsonReport(expected)).findings);
  expect(findings.map((finding: { code: string }) => finding.code)).toContain('unused-llm');
  const unknown = findings.filter((finding: { code: string }) => finding.code === 'unknown-agent');
  expect(unknown).toHaveLength(8);
  for (const { message } of unknown) expect(message).toContain('no agent "Nobody"');
  expect(files).toBe(expected.files);
  expect(code).toBe(1);
});

test('a reader that goes away costs neither the exit code nor a word on stderr', async () => {
  const agents = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`config/agents/A${index}/v1.json`, faulty]));
  const cwd = toneProject(agents);
  const script = `"$NODE" "$CLI" check | head -n 1; echo "\${PIPESTATUS[0]}"`;
  const env = { ...cleanEnvironment(), NODE: process.execPath, CLI: cliFile };
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], { cwd, env, encoding: 'utf8' });
  expect(stdout).toMatch(/^config\/agents\/A0\/v1\.json:2:16 error name-matches-path .*\n1\n$/);
  expect(stderr).toBe('');
});
