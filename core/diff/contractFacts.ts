import { findAgent } from '../config/agentReference.js';
import { casesIn, expectationsIn } from '../config/caseParts.js';
import type { ConfigFile } from '../config/configFile.js';
import { tasksIn, teamsIn } from '../config/orchestrationParts.js';
import { readConfigFile } from '../config/parseConfigFile.js';
import { identifyFile } from '../config/paths.js';
import type { ProjectIndex } from '../config/projectIndex.js';
import { isObject, type Json, type JsonObject } from '../json.js';
import type { Kind } from '../kinds.js';
import { instanceOf } from '../snapshot/snapshotValue.js';
import { quoted } from '../words.js';
import { comparedValues, type FoundReader, orchestrationReaders, planReaders } from './contractReaders.js';
import type { ProjectState } from './freezeSubject.js';

/** A reader and the file it was found in. */
export type PlacedReader = FoundReader & { readonly file: string };

/** The readers outside a snapshot: everything in a project that reads its agents and orchestrations. */
export interface ContractFacts {
  /** @param id `name@version` */
  readonly ofAgent: (id: string) => readonly PlacedReader[];
  /** Of the answer and the input of a whole orchestration. */
  readonly ofOrchestration: (name: string) => readonly PlacedReader[];
  /** Cases that compare a task of an orchestration. */
  readonly ofTask: (orchestration: string, task: string) => readonly PlacedReader[];
}

/** Reads the files of a project once, for all comparisons with it. */
export async function readContractFacts({ index, ports }: Pick<ProjectState, 'index' | 'ports'>): Promise<ContractFacts> {
  const files = [...index.read.values()];
  for (const kind of ['agent', 'payload'] as const)
    for (const path of index.ids(kind).values()) {
      const identity = identifyFile(path, index.settings);
      if (identity !== undefined) files.push(await readConfigFile(ports.files, path, identity));
    }
  return contractFacts(index, files);
}

function contractFacts(project: ProjectIndex, files: readonly ConfigFile[]): ContractFacts {
  const readersByKey = new Map<string, PlacedReader[]>();
  const add = (key: string | undefined, file: string, readers: readonly FoundReader[]) => {
    if (key === undefined) return;
    const list = readersByKey.get(key) ?? [];
    for (const reader of readers) list.push({ ...reader, file });
    readersByKey.set(key, list);
  };
  const agentKey = (reference: Json | undefined) => {
    const target = typeof reference === 'string' ? findAgent(project, reference) : undefined;
    return target && `agent ${target.id}`;
  };
  for (const { path, identity, value } of files) {
    const { kind, name } = identity;
    if (!isObject(value)) continue;
    const fileKey =
      kind === 'agent' ? agentKey(`${name}@${identity.version ?? ''}`) : kind === 'orchestration' ? `orchestration ${name}` : undefined;
    if (value.expose === true) {
      add(fileKey, path, [{ kind: 'exposed', words: callersOf(kind, name), pointer: '/expose' }]);
    }
    if (kind === 'orchestration') {
      const readers = orchestrationReaders(value, ` of the orchestration ${quoted(name)}`);
      for (const team of teamsIn(value))
        for (const task of tasksIn(team)) add(agentKey(task.value.agent), path, readers.get(instanceOf(team.id, task.name ?? '')) ?? []);
    } else if (kind === 'agent') {
      for (const [reference, readers] of planReaders(value, name)) add(agentKey(reference), path, readers);
    } else if (kind === 'payload' && identity.agent !== undefined) {
      const { agent: subject } = identity;
      const subjectKey = agentKey(subject) ?? `orchestration ${subject}`;
      for (const { about, reader } of caseReaders(value, name)) {
        if (about === undefined) add(subjectKey, path, [reader]);
        else add('judge' in about ? agentKey(about.judge) : `task ${subject}/${about.task}`, path, [reader]);
      }
    }
  }
  const of = (key: string) => readersByKey.get(key) ?? [];
  return {
    ofAgent: (id) => of(`agent ${id}`),
    ofOrchestration: (name) => of(`orchestration ${name}`),
    ofTask: (orchestration, task) => of(`task ${orchestration}/${task}`),
  };
}

export function callersOf(kind: Kind, name: string): string {
  return `programs that call the exposed ${kind} ${name}`;
}

interface CaseReader {
  readonly about: { readonly judge: string } | { readonly task: string } | undefined;
  readonly reader: FoundReader;
}

function* caseReaders(payload: JsonObject, file: string): Generator<CaseReader> {
  const cases = casesIn(payload);
  const wordsOf = (pointer: string) => {
    const { name } = cases.find((part) => pointer.startsWith(`${part.pointer}/`)) ?? { name: '' };
    return { kind: 'case', words: name === '' ? `the case ${file}` : `the case ${file}/${name}` } as const;
  };
  for (const { value, pointer } of expectationsIn(payload)) {
    const { judge, task, output_field } = value;
    if (typeof output_field !== 'string') continue;
    const about = typeof judge === 'string' ? { judge } : typeof task === 'string' ? { task } : undefined;
    yield { about, reader: { ...wordsOf(pointer), pointer, reads: output_field.split('.'), values: comparedValues(value) } };
  }
  for (const { value, pointer } of cases) {
    const key = isObject(value.input) ? 'input' : 'context';
    const given = value[key];
    if (isObject(given)) yield { about: undefined, reader: { ...wordsOf(`${pointer}/`), pointer: `${pointer}/${key}`, gives: given } };
  }
}
