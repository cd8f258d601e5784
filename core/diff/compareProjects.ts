import { besidePath } from '../besidePath.js';
import { parseConfigObject } from '../config/parseConfigFile.js';
import { readCases } from '../eval/readCases.js';
import type { PlacedFinding } from '../finding.js';
import { groupBy } from '../groupBy.js';
import type { Json, JsonObject } from '../json.js';
import { findText } from '../jsonText/findText.js';
import { isEqual } from '../jsonText/jsonCompare.js';
import { compareNatural } from '../names.js';
import type { MaybePromise } from '../ports.js';
import { loadSchemaCompiler, type SchemaCompiler } from '../schema/schemaCompiler.js';
import { canonicalJson } from '../snapshot/canonicalJson.js';
import { environmentNames } from '../snapshot/checkEnvironment.js';
import type { Snapshot } from '../snapshot/createSnapshot.js';
import { createSide } from './comparedSide.js';
import { compareSides, isDifferent, type SideOptions } from './compareSides.js';
import { unexposed } from './contract.js';
import { type ContractFacts, readContractFacts } from './contractFacts.js';
import { type FrozenSubject, freezeSubject, noFaults, type ProjectState, pathOfSubject } from './freezeSubject.js';
import { keyOf, pairSubjects, type SubjectPair, subjectsOf, subjectWords } from './subjects.js';
import type { ContractChange, NotCompared, SubjectDiff, SubjectFinding, SubjectName } from './types.js';

export interface CompareProjectsRequest {
  readonly before: Omit<ProjectState, 'schemas'>;
  readonly after: Omit<ProjectState, 'schemas'>;
  /** Files and folders whose content the state before does not have. Default: none. */
  readonly unread?: readonly string[];
  /** Default: all. */
  readonly isWanted?: (subject: SubjectName) => boolean;
  /** Default: every environment of either side. */
  readonly environments?: readonly string[] | undefined;
  readonly signal?: AbortSignal;
}

export interface ComparedProjects {
  readonly subjects: readonly SubjectDiff[];
  readonly unchanged: number;
  readonly rewritten: number;
  readonly not_compared: readonly NotCompared[];
}

/**
 * Compares every agent and orchestration of two states of a project, in every environment. One whose frozen config has the same hash sends the same;
 * all others are compared part by part.
 */
export async function compareProjects({
  isWanted = () => true,
  unread = [],
  signal,
  ...request
}: CompareProjectsRequest): Promise<ComparedProjects> {
  const schemas = await loadSchemaCompiler();
  const before = stateOf(request.before, schemas);
  const after = stateOf(request.after, schemas);
  const names = environmentsOf(before, after, request.environments);
  const [old, current] = [subjectsOf(before.index), subjectsOf(after.index)];
  const moves = await findMoves(before, after, names.both[0] ?? after.index.settings.environment, old, current);
  const pairs = pairSubjects(old, current, (subject) => moves.get(keyOf(subject))).filter((pair) =>
    isWanted((pair.after ?? pair.before) as SubjectName),
  );
  const subjects: SubjectDiff[] = [];
  let [unchanged, rewritten] = [0, 0];
  const notCompared = [...names.notCompared, ...(await codeNotCompared(before, after))];
  let read: Promise<ContractFacts> | undefined;
  const facts = () => (read ??= readContractFacts(after));
  const hidden = unread.filter((place) => after.index.files().some(({ path }) => isIn(path, place)));
  for (const pair of pairs) {
    const diffs: SubjectDiff[] = [];
    let [isBroken, isRewritten] = [false, false];
    const subject = (pair.after ?? pair.before) as SubjectName;
    for (const environment of names.both) {
      signal?.throwIfAborted();
      const compared = await comparePair(pair, environment, { before, after, facts });
      if (compared === 'equal') continue;
      if (compared === 'broken') isBroken = true;
      else if (compared === 'rewritten') isRewritten = true;
      else diffs.push(compared);
    }
    // What cannot be read may say anything: neither is it new, nor was it broken.
    const isHidden = pair.before === undefined && hidden.some((place) => isIn(pathOfSubject(subject, after.index), place));
    if (isHidden || (hidden.length > 0 && diffs.some(({ broken }) => broken?.side === 'before'))) {
      notCompared.push({ what: subjectWords(subject), why: `Before, it depends on ${hidden.join(', ')}, whose content is not known.` });
      continue;
    }
    if (isBroken) notCompared.push({ what: subjectWords(subject), why: 'It cannot run on either side: see `check`.' });
    else if (diffs.length === 0 && isRewritten) rewritten += 1;
    else if (diffs.length === 0 && names.both.length > 0) unchanged += 1;
    subjects.push(...mergeEnvironments(diffs));
  }
  return { subjects: subjects.sort(byName), unchanged, rewritten, not_compared: notCompared };
}

/** Every environment and orchestration reads the same agents: each file is read once. */
function stateOf({ index, ports }: CompareProjectsRequest['before'], schemas: SchemaCompiler): ProjectState {
  const texts = new Map<string, MaybePromise<string>>();
  const readText = (path: string) => {
    const text = texts.get(path) ?? ports.files.readText(path);
    texts.set(path, text);
    return text;
  };
  return { index, schemas, ports: { ...ports, files: { ...ports.files, readText } } };
}

function isIn(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}

interface Environments {
  readonly both: readonly string[];
  readonly notCompared: readonly NotCompared[];
}

/** The project's own environment first. */
function environmentsOf(before: ProjectState, after: ProjectState, wanted: readonly string[] | undefined): Environments {
  const namesOf = ({ index }: ProjectState) => new Set([index.settings.environment, ...environmentNames(index)]);
  // A project that begins or ends does so in all of its environments.
  const [old, current] = [namesOf(isEmpty(before) ? after : before), namesOf(isEmpty(after) ? before : after)];
  const all = [...new Set([...current, ...old])].filter((name) => wanted?.includes(name) ?? true);
  const notCompared = all.flatMap((name): NotCompared[] => {
    if (old.has(name) && current.has(name)) return [];
    const why = current.has(name) ? 'It is new: there is nothing to compare it with.' : 'It is gone.';
    return [{ what: `environment ${name}`, why }];
  });
  return { both: all.filter((name) => old.has(name) && current.has(name)), notCompared };
}

function isEmpty({ index }: ProjectState): boolean {
  return subjectsOf(index).length === 0;
}

async function codeNotCompared(before: ProjectState, after: ProjectState): Promise<readonly NotCompared[]> {
  const { tools: module } = after.index.settings;
  if (module === undefined || (await codeOf(before, module)) === (await codeOf(after, module))) return [];
  return [{ what: module, why: 'The code of own tools is another. Both sides were compared with the tools that it has now.' }];
}

/** The texts of a module and of the project's files that it imports, directly or not. */
async function codeOf({ ports }: ProjectState, module: string): Promise<string> {
  const texts = new Map<string, string>();
  const add = async (path: string | undefined): Promise<void> => {
    if (path === undefined || texts.has(path)) return;
    const text = (await findText(ports.files, path)) ?? '';
    texts.set(path, text);
    for (const [, imported = ''] of text.matchAll(/(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"](\.[^'"]+)['"]/g))
      await add(besidePath(path, imported));
  };
  await add(besidePath('', module));
  return JSON.stringify([...texts]);
}

/** Subjects that are new by name, and equal to one that is gone but for their name and version. */
async function findMoves(
  before: ProjectState,
  after: ProjectState,
  environment: string,
  old: readonly SubjectName[],
  current: readonly SubjectName[],
): Promise<ReadonlyMap<string, SubjectName>> {
  const [oldKeys, currentKeys] = [new Set(old.map(keyOf)), new Set(current.map(keyOf))];
  const gone = old.filter((subject) => !currentKeys.has(keyOf(subject)));
  const fresh = current.filter((subject) => !oldKeys.has(keyOf(subject)));
  const moves = new Map<string, SubjectName>();
  if (gone.length === 0 || fresh.length === 0) return moves;
  const byContent = new Map<string, SubjectName>();
  for (const subject of gone) {
    const content = contentOf((await freezeSubject(before, subject, environment)).snapshot);
    if (content !== undefined && !byContent.has(content)) byContent.set(content, subject);
  }
  for (const subject of fresh) {
    const content = contentOf((await freezeSubject(after, subject, environment)).snapshot);
    const from = content === undefined ? undefined : byContent.get(content);
    if (content === undefined || from === undefined) continue;
    moves.set(keyOf(subject), from);
    byContent.delete(content);
  }
  return moves;
}

/** What a snapshot holds but the name of its subject. */
function contentOf(snapshot: Snapshot | undefined): string | undefined {
  if (snapshot === undefined) return undefined;
  const { name, version: _version, kind, agents, llms, key_order: _order, ...others } = snapshot.value;
  const { [name]: subject, ...called } = kind === 'agent' ? agents : {};
  const content = kind === 'agent' ? { ...subject, agent_name: '', version: '', called } : agents;
  // A snapshot is JSON by construction.
  return canonicalJson({ ...others, kind, content, llms: Object.values(llms) } as unknown as Json);
}

interface Sides {
  readonly before: ProjectState;
  readonly after: ProjectState;
  readonly facts: () => Promise<ContractFacts>;
}

/** `rewritten`: written differently, and nothing else. `broken`: it cannot run on either side. */
type Compared = SubjectDiff | 'equal' | 'rewritten' | 'broken';

function shown({ code, severity, message, file, pointer, line, column }: PlacedFinding): SubjectFinding {
  return { code, severity, message, file, pointer, line, column };
}

async function comparePair(pair: SubjectPair, environment: string, { before, after, facts }: Sides): Promise<Compared> {
  const { before: earlier, after: later, state } = pair;
  const old = earlier && (await freezeSubject(before, earlier, environment));
  const current = later && (await freezeSubject(after, later, environment));
  if (old !== undefined && current !== undefined && sendsSame(old, current)) return old.faults === noFaults ? 'equal' : 'broken';
  const subject = (later ?? earlier) as SubjectName;
  const [oldErrors, currentErrors] = [(await old?.errors()) ?? [], (await current?.errors()) ?? []];
  if (oldErrors.length > 0 && (currentErrors.length > 0 || later === undefined)) return 'broken';
  const broken: SubjectDiff['broken'] =
    currentErrors.length > 0
      ? { side: 'after', findings: currentErrors.map(shown) }
      : oldErrors.length > 0
        ? { side: 'before', findings: oldErrors.map(shown) }
        : null;
  const sideOf = (side: 'before' | 'after', frozen: FrozenSubject | undefined) =>
    frozen?.snapshot && createSide(side, frozen.snapshot, after.schemas);
  const compared = await compareSides(
    broken === null ? sideOf('before', old) : undefined,
    broken === null ? sideOf('after', current) : undefined,
    {
      facts: await facts(),
      exposed: exposureOf(old, current),
      payloads: subject.kind === 'agent' ? await payloadsOf(after, subject.name) : [],
      assumed_input: after.index.settings.assumed_input_tokens,
    },
  );
  const ended = broken === null && old?.isExposed === true ? exposureEnd(pair, old.path, current, after, await facts()) : [];
  const parts = { ...compared, contract: [...compared.contract, ...ended] };
  const isRenamed = earlier !== undefined && later !== undefined && keyOf(earlier) !== keyOf(later);
  if (broken === null && !isRenamed && old !== undefined && current !== undefined && !isDifferent(parts)) return 'rewritten';
  return {
    ...subject,
    state,
    ...(isRenamed && { compared_with: earlier }),
    environments: [environment],
    hash_before: old?.snapshot?.hash ?? null,
    hash_after: current?.snapshot?.hash ?? null,
    broken,
    ...parts,
    verdicts: null,
  };
}

function exposureOf(before: FrozenSubject | undefined, after: FrozenSubject | undefined): NonNullable<SideOptions['exposed']> {
  const side = after === undefined ? 'before' : 'after';
  const file = (after ?? before)?.path;
  return {
    before: before?.isExposed ?? false,
    after: after?.isExposed ?? false,
    place: file === undefined ? null : { file, pointer: '/expose', side },
  };
}

/** A new version leaves the one that it is compared with where it is. */
function exposureEnd(
  { before: earlier, after: later, state }: SubjectPair,
  path: string,
  current: FrozenSubject | undefined,
  { index }: ProjectState,
  facts: ContractFacts,
): readonly ContractChange[] {
  if (earlier === undefined || state === 'new_version' || (state === 'changed' && current?.isExposed === true)) return [];
  const { kind, name } = earlier;
  const isExposed = (version: string) => facts.ofAgent(`${name}@${version}`).some((reader) => reader.kind === 'exposed');
  return [unexposed(earlier, path, (later ?? earlier).name, kind === 'agent' && index.versions(name).some(isExposed))];
}

/** The first inputs of an agent's cases. */
async function payloadsOf({ index, ports }: ProjectState, name: string): Promise<readonly JsonObject[]> {
  const paths = [...index.ids('payload')].filter(([id]) => id.startsWith(`${name}/`)).map(([, path]) => path);
  const texts = await Promise.all(paths.map((path) => findText(ports.files, path)));
  const cases = texts.flatMap((text) => readCases('', (text === undefined ? undefined : parseConfigObject(text)) ?? null));
  return cases.flatMap(({ turns: [first] }) => (first === undefined ? [] : [first.input]));
}

/** Whether both send the same. An agent's description is for people, and sent only to those that it is exposed to. */
function sendsSame(before: FrozenSubject, after: FrozenSubject): boolean {
  const { isExposed } = after;
  if (before.faults !== after.faults || before.isExposed !== isExposed || !before.snapshot || !after.snapshot) return false;
  if (before.snapshot.hash === after.snapshot.hash) return true;
  // A snapshot is JSON by construction.
  const [old, current] = [withoutDescriptions(before.snapshot), withoutDescriptions(after.snapshot)] as unknown as readonly [Json, Json];
  return !isExposed && isEqual(old, current);
}

function withoutDescriptions({ value }: Snapshot): object {
  const agents = Object.entries(value.agents).map(([instance, { description: _words, ...config }]) => [instance, config] as const);
  return { ...value, agents: Object.fromEntries(agents) };
}

/** Equal changes of several environments as one. */
function mergeEnvironments(diffs: readonly SubjectDiff[]): readonly SubjectDiff[] {
  const groups = groupBy(diffs, ({ environments: _names, hash_before: _old, hash_after: _current, ...parts }) => JSON.stringify(parts));
  return [...groups.values()].map((same) => ({
    ...(same[0] as SubjectDiff),
    environments: same.flatMap(({ environments }) => environments),
  }));
}

function byName(left: SubjectDiff, right: SubjectDiff): number {
  if (left.kind !== right.kind) return left.kind === 'agent' ? -1 : 1;
  return compareNatural(left.name, right.name) || compareNatural(left.version ?? '', right.version ?? '');
}
