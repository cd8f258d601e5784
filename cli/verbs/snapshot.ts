import { isObject, type JsonObject } from '../../core/json.js';
import { didYouMean, nearestNames } from '../../core/names.js';
import { openNamedFile } from '../../core/node/namedFiles.js';
import { effectiveView } from '../../core/snapshot/effectiveView.js';
import { explainValue, findPointer } from '../../core/snapshot/explainValue.js';
import { escapeUnseen, toSafeJson } from '../../core/visibleText.js';
import { checkProfile } from '../agentCall.js';
import { type Cli, example, type GlobalOptions, readOptions, UsageError, type VerbSetup } from '../cli.js';
import { openCliProject } from '../openCliProject.js';
import { environmentOption } from '../optionValues.js';
import { locateProject } from '../project.js';
import { explainPage } from '../reports/explainPage.js';
import { makeSnapshot, type SnapshotSource } from '../snapshotSource.js';
import { snapshotDiffVerb } from './snapshotDiff.js';

interface SnapshotOptions extends GlobalOptions {
  readonly environment?: string;
  readonly llm?: string;
  readonly explain?: string;
  readonly out?: string;
}

export const snapshot: VerbSetup = (command, cli) => {
  snapshotDiffVerb(command.command('diff'), cli);
  command
    .argument('<name>', 'agent NAME or NAME@VERSION, or orchestration NAME')
    .option(...environmentOption)
    .option('--llm <id>', 'apply this llm profile, as run --llm does')
    .option(
      '--explain <path>',
      'say which file, place and layer gave a value, and what lower layers say: /agents/A2/temperature, or temperature',
    )
    .option('--out <file>', 'write the canonical JSON to a file, byte for byte as it is hashed')
    .addHelpText('after', () =>
      example(cli, [
        'snapshot A2',
        'snapshot issue_intake --env prod',
        'snapshot A2 --explain temperature',
        'snapshot A2@v1 --out a2.json',
        'snapshot diff A2:dev A2:prod',
        'snapshot diff last issue_intake',
      ]),
    )
    .addHelpText(
      'after',
      '\nRuns nothing. A run of the same files, environment and call has the same hash.\nExit codes: 0 made, 2 the config or the command cannot be used.',
    )
    .action(async (name: string) => {
      const options = readOptions<SnapshotOptions>(cli, command);
      const { root } = locateProject(cli, options);
      const project = openCliProject(cli, root, {});
      const index = await project.index();
      checkProfile(index, options.llm);
      const { environment, llm } = options;
      const source = await makeSnapshot(project, name, { index, environment, ...(llm !== undefined && { overrides: { llm } }) });
      if (options.out !== undefined) write(cli, root, options.out, source.text);
      if (options.explain !== undefined) explain(cli, source, options.explain, options.json);
      else print(cli, source, options);
    });
};

function print({ terminal }: Cli, { title, hash, value, origins }: SnapshotSource, { json, out }: SnapshotOptions): void {
  if (json) {
    terminal.print(toSafeJson({ hash, snapshot: value, origins: Object.fromEntries(origins) }));
    return;
  }
  terminal.note(terminal.err.dim(title));
  terminal.print(hash);
  // A snapshot is JSON by construction.
  const content = value as unknown as JsonObject;
  if (out === undefined)
    terminal.print(
      escapeUnseen(
        effectiveView({ value: content, origins })
          .map(({ text }) => text)
          .join('\n'),
      ),
    );
}

function explain(
  { terminal }: Cli,
  { title, hash, value, origins, subject }: SnapshotSource,
  path: string,
  json: boolean | undefined,
): void {
  const pointer = findPointer(value, path);
  const leaves = pointer === undefined ? undefined : explainValue({ value, origins }, pointer, subject);
  if (leaves === undefined) throw new UsageError(nothingAt(value as unknown as JsonObject, path));
  if (json) {
    terminal.print(toSafeJson({ hash, explained: leaves }));
    return;
  }
  terminal.note(terminal.err.dim(title));
  terminal.print(explainPage(leaves, terminal.out, terminal.columns));
}

/** That there is nothing at a path, with the nearest names. */
function nothingAt(value: JsonObject, path: string): string {
  const words = path.split(/[/.]/).filter((word) => word !== '');
  const names = new Set(Object.keys(value));
  for (const agent of Object.values(isObject(value.agents) ? value.agents : {}))
    for (const field of Object.keys(agent as object)) names.add(field);
  for (const instance of Object.keys(isObject(value.agents) ? value.agents : {})) names.add(instance);
  for (const field of Object.keys(isObject(value.orchestration) ? value.orchestration : {})) names.add(field);
  const unknown = words.find((word) => !names.has(word)) ?? words.at(-1) ?? path;
  const nearest = nearestNames(unknown, names);
  return `The snapshot holds nothing at ${JSON.stringify(path)}.${nearest.length > 0 ? didYouMean(nearest) : ' Without --explain it is shown whole.'}`;
}

function write({ cwd, terminal }: Cli, root: string, path: string, text: string): void {
  openNamedFile(root, path, cwd).write(text);
  terminal.note(`Written to ${path}.`);
}
