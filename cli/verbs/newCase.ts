import { unlessRefused } from '../../core/agent/load/refused.js';
import type { LoadedIndex } from '../../core/config/loadProjectIndex.js';
import type { Json, JsonObject } from '../../core/json.js';
import type { Project } from '../../core/project/types.js';
import { newCaseFile } from '../../core/scaffold/newFile.js';
import { sampleContext } from '../../core/scaffold/sampleInput.js';
import { OutputContract } from '../../core/schema/outputContract.js';
import { readAgentInput } from '../agentInput.js';
import { type Cli, example, type GlobalOptions, readOptions, type VerbSetup } from '../cli.js';
import { createFiles, projectFlag, requireFreeCase, requireLegalName } from '../newFiles.js';
import { openCliProject } from '../openCliProject.js';
import { locateProject } from '../project.js';

interface NewCaseOptions extends GlobalOptions {
  readonly expect?: true;
}

export const newCase: VerbSetup = (command, cli) => {
  command
    .argument('<name>', 'agent (NAME, for its newest version, or NAME@VERSION) or orchestration')
    .argument('<case>', 'name of the case: letters, digits, ".", "_", "-"')
    .option('--expect', 'also write what is expected of the answer, to be corrected: the case is a test then')
    .addHelpText('after', () =>
      example(cli, ['new case A2 short_question', 'new case A2 short_question --expect', 'new case issue_intake outage']),
    )
    .addHelpText('after', '\nA case is a named input, payloads/NAME/CASE.json, for run --case. Fill in its values.')
    .action(async (name: string, caseName: string) => {
      const options = readOptions<NewCaseOptions>(cli, command);
      await create(cli, name, caseName, options);
    });
};

async function create(cli: Cli, spec: string, name: string, options: NewCaseOptions): Promise<void> {
  const project = locateProject(cli, options);
  const opened = openCliProject(cli, project.root, { code: 'never' });
  const index = await opened.index();
  requireLegalName(name);
  const isTeam = index.ids('orchestration').has(spec) && index.versions(spec).length === 0;
  const { owner, value } = isTeam ? await caseOfTeam(opened, index, spec, options) : await caseOfAgent(opened, index, spec, options);
  requireFreeCase(index, owner, name);
  const verb = options.expect ? `eval ${spec}/${name}` : `${isTeam ? 'orchestrate' : 'run'} ${spec} --case ${name}`;
  const next = `Try it: ${cli.name} ${verb}${projectFlag(options)}`;
  await createFiles(cli, { project, index }, [newCaseFile(index, owner, name, value)], options, next);
}

interface CaseToWrite {
  readonly owner: string;
  readonly value: JsonObject;
}

async function caseOfAgent(opened: Project, index: LoadedIndex, spec: string, { expect }: NewCaseOptions): Promise<CaseToWrite> {
  const { agent_name, version, input } = await readAgentInput(opened, index, spec);
  if (!expect) return { owner: agent_name, value: { input } };
  const { agent } = unlessRefused(await opened.load({ index, agent_name, version }));
  return { owner: agent_name, value: { input, expect: expectationsOf(agent.resolved.config.output_schema) } };
}

async function caseOfTeam(opened: Project, index: LoadedIndex, name: string, { expect }: NewCaseOptions): Promise<CaseToWrite> {
  const { orchestration } = unlessRefused(await opened.loadOrchestration({ index, name }));
  const { entry_team } = orchestration.frozen;
  const first: Json = { route: true, operator: 'contains', value: entry_team };
  return {
    owner: name,
    value: { context: sampleContext(orchestration.frozen), ...(expect && { expect: [{ status: 'success' }, first] }) },
  };
}

/** An answer that can be: the first of the values that are listed for each field, else that there is an answer at all. */
function expectationsOf(schema: JsonObject | undefined): readonly Json[] {
  if (schema === undefined) return [{ status: 'success' }];
  const contract = new OutputContract(schema);
  const { properties, pointer } = contract.fields;
  const listed = Object.entries(properties).flatMap(([output_field, field]): Json[] => {
    const choices = contract.choices({ schema: field, pointer: `${pointer}/${output_field}` });
    const [value] = choices?.values ?? [];
    return value === undefined ? [] : [{ output_field, operator: choices?.multiple ? 'contains' : 'equals', value }];
  });
  return listed.length > 0 ? listed : [{ status: 'success' }];
}
