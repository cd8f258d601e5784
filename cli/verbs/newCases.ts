import { basename, extname } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { unlessRefused } from '../../core/agent/load/refused.js';
import type { Agent } from '../../core/agent/types.js';
import { isObject, type Json } from '../../core/json.js';
import { maxFileBytes } from '../../core/node/openedFile.js';
import { issueSentence } from '../../core/prompt/payloadCheck.js';
import { type ColumnTarget, casesOfRows, type TableRow } from '../../core/scaffold/casesOfRows.js';
import { newCaseFile } from '../../core/scaffold/newFile.js';
import { OutputContract, type SchemaPlace } from '../../core/schema/outputContract.js';
import { capitalized, plural } from '../../core/words.js';
import { readAgentInput } from '../agentInput.js';
import { type Cli, example, type GlobalOptions, readOptions, UsageError, type VerbSetup } from '../cli.js';
import { createFiles, projectFlag, requireFreeCase, requireLegalName } from '../newFiles.js';
import { openCliProject } from '../openCliProject.js';
import { locateProject } from '../project.js';
import { readTable } from '../readTable.js';

interface NewCasesOptions extends GlobalOptions {
  readonly from: string;
  readonly name?: string;
  readonly map?: ReadonlyMap<string, ColumnTarget>;
}

export const newCases: VerbSetup = (command, cli) => {
  command
    .argument('<agent>', 'NAME, for its newest version, or NAME@VERSION')
    .requiredOption('--from <file>', 'table with a line for each case: .csv, .tsv, .json (a list of objects) or .jsonl')
    .option('--name <name>', 'name of the data set (default: that of the file)')
    .option(
      '--map <columns>',
      'COLUMN=input.KEY, COLUMN=expected.FIELD, COLUMN=name or COLUMN=tags, with commas between; repeatable',
      toMap,
    )
    .addHelpText('after', () =>
      example(cli, [
        'new cases IssueLabels --from labels.csv',
        'new cases IssueLabels --from export.csv --map text=input.issue,gold=expected.label',
        'new cases A2 --from cases.jsonl --name nightly',
      ]),
    )
    .addHelpText(
      'after',
      '\nA column with the name of an input key becomes that key, one with the name of a field of the answer an expectation ("equals"). An empty cell says nothing. ' +
        'No file is ever overwritten.',
    )
    .action(async (agent: string) => {
      const options = readOptions<NewCasesOptions>(cli, command);
      await create(cli, agent, options);
    });
};

async function create(cli: Cli, spec: string, options: NewCasesOptions): Promise<void> {
  const project = locateProject(cli, options);
  const opened = openCliProject(cli, project.root, { code: 'never' });
  const index = await opened.index();
  const name = options.name ?? basename(options.from, extname(options.from));
  requireLegalName(name);
  const { agent_name, version, input: sample } = await readAgentInput(opened, index, spec);
  requireFreeCase(index, agent_name, name);
  const { agent } = unlessRefused(await opened.load({ index, agent_name, version }));
  const { input_keys = [], input_schema, output_schema } = agent.resolved.config;
  const contracts = { input: contractOf(input_schema), expected: contractOf(output_schema) };
  const table = await readTable(cli.cwd, options.from);
  const { cases, leftOut, problems } = casesOfRows({
    table,
    mapped: options.map ?? new Map(),
    inputKeys: [...new Set([...input_keys, ...fieldsOf(contracts.input), ...Object.keys(sample)])],
    requiredKeys: input_keys,
    outputFields: fieldsOf(contracts.expected),
    issueOf: (type, path, value) => issueOf(agent, contracts[type], path, value),
  });
  const refused = problems.length > 0 ? problems : refusedInputs(agent, cases, table.rows);
  if (refused.length > 0) throw new UsageError(`--from ${options.from}: ${listOf(refused)} Nothing was written.`, 'input-invalid');
  const file = newCaseFile(index, agent_name, name, { cases });
  if (Buffer.byteLength(file.text) > maxFileBytes)
    throw new UsageError(
      `--from ${options.from}: its cases are more than ${maxFileBytes / 1024 / 1024} MB, which no config file may have. Split the table.`,
    );
  const hasTests = cases.some(({ expect }) => expect !== undefined);
  const notes = [
    `${plural(cases.length, 'case')} in ${agent_name}/${name}.`,
    ...(leftOut.length > 0
      ? [`Left out, since nothing has their name: ${leftOut.join(', ')}. Use --map COLUMN=input.KEY or COLUMN=expected.FIELD.`]
      : []),
    ...(hasTests ? [] : ['No column is a field of the answer, so nothing is expected yet. Use --map COLUMN=expected.FIELD.']),
    `Try it: ${cli.name} ${hasTests ? 'eval' : 'list payloads'}${hasTests ? ` ${agent_name}/${name}` : ''}${projectFlag(options)}`,
  ];
  await createFiles(cli, { project, index }, [file], options, notes.join('\n'));
}

function contractOf(schema: OutputContract['root'] | undefined): OutputContract | undefined {
  return schema && new OutputContract(schema);
}

function fieldsOf(contract: OutputContract | undefined): readonly string[] {
  return contract === undefined ? [] : Object.keys(contract.fields.properties);
}

function issueOf({ schemas }: Agent, contract: OutputContract | undefined, path: readonly string[], value: Json): string | undefined {
  if (contract === undefined) return undefined;
  const place = placeAt(contract, path);
  const schema = place !== undefined && isObject(place.schema) ? contract.standalone(place.schema) : undefined;
  const compiled = schema && schemas?.compile(schema);
  if (compiled === undefined || !compiled.ok) return undefined;
  const [issue] = compiled.check(value);
  return issue && issueSentence(issue, 'The value');
}

function placeAt(contract: OutputContract, path: readonly string[]): SchemaPlace | undefined {
  let place: SchemaPlace | undefined = { schema: contract.root, pointer: '' };
  for (const name of path) {
    if (place === undefined) return undefined;
    const inner: Json | undefined = contract
      .meanings(place)
      .flatMap(({ schema: { properties } }) => (isObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : []))[0];
    place = inner === undefined ? undefined : { schema: inner, pointer: '' };
  }
  return place;
}

/** What the cells allow one by one, the input as a whole may not. */
function refusedInputs({ prompt }: Agent, cases: readonly { readonly input?: Json }[], rows: readonly TableRow[]): readonly string[] {
  return cases.flatMap(({ input }, index) => {
    const [issue] = prompt.checkPayload(input);
    return issue === undefined ? [] : [`${capitalized(rows[index]?.place ?? '')}: ${issueSentence(issue, 'The input')}`];
  });
}

/** Problems that are shown; further ones are counted. */
const mostShown = 5;

function listOf(problems: readonly string[]): string {
  const more = problems.length > mostShown ? [`And ${problems.length - mostShown} more.`] : [];
  return [...problems.slice(0, mostShown), ...more].join(' ');
}

function toMap(value: string, previous: ReadonlyMap<string, ColumnTarget> = new Map()): ReadonlyMap<string, ColumnTarget> {
  const map = new Map(previous);
  for (const part of value.split(',')) {
    const at = part.lastIndexOf('=');
    const [column, target] = [part.slice(0, Math.max(0, at)).trim(), part.slice(at + 1).trim()];
    const [type, ...path] = target.split('.');
    const hasPath = path.length > 0 && !path.includes('');
    if (column !== '' && (type === 'input' || type === 'expected') && hasPath) map.set(column, { type, path });
    else if (column !== '' && (target === 'name' || target === 'tags')) map.set(column, { type: target });
    else
      throw new InvalidArgumentError('Expected COLUMN=input.KEY, COLUMN=expected.FIELD, COLUMN=name or COLUMN=tags, with commas between.');
  }
  return map;
}
