import type { LoadedAgent } from '../../agent/load/loadAgent.js';
import { Refused } from '../../agent/load/refused.js';
import { findingsLine } from '../../agent/load/throwErrors.js';
import { checkProject } from '../../check/checkProject.js';
import { splitAgentReference } from '../../config/agentReference.js';
import { emptyExpects, misspeltExpects } from '../../config/caseParts.js';
import type { LoadedIndex } from '../../config/loadProjectIndex.js';
import { parseConfigObject } from '../../config/parseConfigFile.js';
import type { ProjectIndex } from '../../config/projectIndex.js';
import { ConfigInvalidError, UnknownCaseError } from '../../errors.js';
import type { Finding, PlacedFinding } from '../../finding.js';
import { isObject, type Json, type JsonObject, listOf } from '../../json.js';
import { placeFindings } from '../../jsonText/placeFindings.js';
import { didYouMean, nearestNames } from '../../names.js';
import type { FileSystem, Ports } from '../../ports.js';
import { conversationFault, issueSentence, teamConversationFault } from '../../prompt/payloadCheck.js';
import type { LoadedOrchestration } from '../../team/loadOrchestration.js';
import { expectationsOf, readCases } from '../readCases.js';
import type { EvalSubject, PlannedCase } from './plan.js';

export interface CaseSelection {
  /** `NAME`, `NAME@VERSION`, `NAME/CASE`, `NAME/FILE/CASE`, or the path of a payload file. Empty: every case with `expect`. */
  readonly names: readonly string[];
  /** Only cases with one of these tags. Empty: all cases. */
  readonly tags: readonly string[];
  /** Overrides the `repeats` of the cases. */
  readonly repeats?: number | undefined;
}

type Index = Pick<ProjectIndex, 'ids' | 'versions'>;
type Files = Pick<FileSystem, 'readText'>;

/**
 * The selected cases, each once, in the order of the names and the files.
 *
 * @throws UnknownCaseError if a name matches nothing, or no case with `expect` remains
 */
export async function selectCases(index: Index, files: Files, selection: CaseSelection): Promise<readonly PlannedCase[]> {
  const { names, tags, repeats } = selection;
  const read = createReader(files);
  const selected = new Map<string, PlannedCase>();
  for (const name of names.length === 0 ? [undefined] : names) {
    const chosen = await casesOf(index, read, name);
    const tests = chosen.filter((planned) => expectationsOf(planned).length > 0);
    const [first] = chosen;
    if (name !== undefined && first === undefined) throw unknownName(index, name);
    if (name !== undefined && tests.length === 0)
      throw new UnknownCaseError(`${name} has no case with "expect", so there is nothing to judge. Add "expect" to ${first?.file}.`);
    for (const planned of tests) selected.set(`${planned.version} ${planned.file} ${planned.pointer}`, planned);
  }
  if (selected.size === 0)
    throw new UnknownCaseError('No payload file has "expect", so there is nothing to judge. Add "expect" to a file in payloads.');
  const tagged = [...selected.values()].filter((planned) => tags.length === 0 || planned.tags.some((tag) => tags.includes(tag)));
  if (tagged.length === 0) throw unknownTags(tags, [...selected.values()]);
  return repeats === undefined ? tagged : tagged.map((planned) => ({ ...planned, repeats }));
}

/** @param name undefined for all cases of the project */
async function casesOf(index: Index, read: (file: string) => Promise<JsonObject>, name: string | undefined): Promise<PlannedCase[]> {
  const cases: PlannedCase[] = [];
  for (const [id, file] of index.ids('payload')) {
    const at = id.indexOf('/');
    const [subject, own] = [id.slice(0, at), id.slice(at + 1)];
    const target = subjectOf(index, subject, name);
    if (target === undefined) continue;
    const part = name === undefined || name === file ? '' : partOf(name, subject);
    if (part !== '' && part !== own && !part.startsWith(`${own}/`)) continue;
    const value = await read(file);
    const tested = readCases(own, value);
    const [unread] = [...misspeltExpects(value), ...emptyExpects(value)];
    if (unread !== undefined)
      throw new UnknownCaseError(
        `A case of ${file} would be left out: it expects nothing, or what it expects is not read (${unread}). See \`agent-stack check ${file}\`.`,
      );
    // If it were skipped, its cases would silently count as passed. A file with some valid cases is refused with its errors.
    if (hasExpectations(value) && tested.every((each) => expectationsOf(each).length === 0))
      throw new UnknownCaseError(`No case of ${file} can be read as a test. See \`agent-stack check ${file}\`.`);
    for (const each of tested) if (part === '' || part === own || part === each.name) cases.push({ ...each, ...target, file });
  }
  return cases;
}

/** Whether a payload file contains expectations, valid or not. */
function hasExpectations(value: JsonObject): boolean {
  const isSome = (expect: Json | undefined) => expect !== undefined && !(Array.isArray(expect) && expect.length === 0);
  const isTest = (entry: Json): boolean =>
    isObject(entry) &&
    (isSome(entry.expect) ||
      (Array.isArray(entry.turns) ? entry.turns.some((turn) => !isObject(turn) || isTest(turn)) : entry.turns !== undefined));
  return [value, ...listOf(value.cases)].some(isTest);
}

/** The part after the agent: `parser` of `NAME@v1/parser`. */
function partOf(name: string, subject: string): string {
  const afterSubject = name.slice(subject.length);
  const at = afterSubject.indexOf('/');
  return at < 0 ? '' : afterSubject.slice(at + 1);
}

/** The subject of a payload folder, if the name selects it: the newest version, or the named one. */
function subjectOf(index: Index, subject: string, name: string | undefined): EvalSubject | undefined {
  const [head = ''] = name === undefined ? [subject] : name.split('/');
  const isPath = name !== undefined && [...index.ids('payload')].some(([id, file]) => file === name && id.startsWith(`${subject}/`));
  const reference = splitAgentReference(head);
  if (!isPath && reference.name !== subject) return undefined;
  const versions = index.versions(subject);
  if (versions.length === 0) return index.ids('orchestration').has(subject) ? { kind: 'orchestration', subject, version: null } : undefined;
  const version = isPath || reference.version === undefined ? versions.at(-1) : versions.find((existing) => existing === reference.version);
  return version === undefined ? undefined : { kind: 'agent', subject, version };
}

/** Reads each file once. */
function createReader(files: Files): (file: string) => Promise<JsonObject> {
  const values = new Map<string, JsonObject>();
  return async (file) => {
    const value = values.get(file) ?? parseConfigObject(await files.readText(file));
    if (value === undefined) throw new UnknownCaseError(`${file} is not valid JSON. See \`agent-stack check ${file}\`.`);
    values.set(file, value);
    return value;
  };
}

function unknownName(index: Index, name: string): UnknownCaseError {
  const { name: head, version } = splitAgentReference(name.split('/')[0] ?? '');
  const cases = [...index.ids('payload').keys()];
  const agents = new Set([...index.ids('agent').keys()].map((id) => splitAgentReference(id).name));
  const subjects = [...agents, ...index.ids('orchestration').keys()];
  const isKnown = subjects.includes(head);
  const casesOfSubject = cases.filter((id) => id.startsWith(`${head}/`));
  if (!isKnown)
    return new UnknownCaseError(
      `There is no agent, orchestration or case ${JSON.stringify(name)}.${didYouMean(nearestNames(name, [...subjects, ...cases]))}`,
    );
  const versions = index.versions(head);
  if (version !== undefined && !versions.includes(version)) {
    const versionWords = versions.length === 0 ? 'It is an orchestration, which has no versions.' : `Versions: ${versions.join(', ')}.`;
    return new UnknownCaseError(`${head} has no version ${JSON.stringify(version)}. ${versionWords}`);
  }
  if (casesOfSubject.length === 0) return new UnknownCaseError(`${head} has no cases. Add one with \`agent-stack new case ${head} CASE\`.`);
  return new UnknownCaseError(
    `There is no case ${JSON.stringify(name)}.${didYouMean(nearestNames(name, casesOfSubject))} Files of ${head}: ${casesOfSubject.join(', ')}.`,
  );
}

function unknownTags(tags: readonly string[], cases: readonly PlannedCase[]): UnknownCaseError {
  const existing = [...new Set(cases.flatMap((planned) => planned.tags))];
  const words = existing.length === 0 ? 'No case has tags.' : `Tags of the cases: ${existing.join(', ')}.`;
  return new UnknownCaseError(`No case has the tag ${tags.map((tag) => JSON.stringify(tag)).join(' or ')}. ${words}`);
}

export interface FaultyCasesRequest {
  readonly index: LoadedIndex;
  readonly ports: Pick<Ports, 'files' | 'environment'>;
  readonly environment: string | undefined;
  readonly load: (subject: EvalSubject) => Promise<LoadedAgent | LoadedOrchestration | Refused>;
}

/**
 * Refuses, before any call, case files with errors of `check`, two cases with one name, and inputs that do not fit the version that will run. Such
 * inputs are refused even if the project has turned off the rule `input-invalid`.
 *
 * @throws ConfigInvalidError with all errors and their places
 */
export async function refuseFaultyCases(cases: readonly PlannedCase[], request: FaultyCasesRequest): Promise<void> {
  const { index, ports, environment } = request;
  const files = [...new Set(cases.map(({ file }) => file))];
  const { findings } = await checkProject({ files: ports.files, index, variables: ports.environment, paths: files, environment });
  refuse(findings.filter(({ severity }) => severity === 'error'));
  refuse(await placed([...sameNames(cases), ...(await refusedInputs(cases, request))], ports.files));
}

function refuse(errors: readonly PlacedFinding[]): void {
  const [first] = errors;
  if (first !== undefined) throw new ConfigInvalidError(findingsLine(first.file, 'cannot be asked', errors), errors);
}

/** Cases with the same name, whose verdicts could not be distinguished. */
function sameNames(cases: readonly PlannedCase[]): readonly Finding[] {
  const firstOfName = new Map<string, PlannedCase>();
  return cases.flatMap((planned): readonly Finding[] => {
    const { file, pointer, name, subject, version } = planned;
    const key = JSON.stringify([file, name, subject, version]);
    const first = firstOfName.get(key);
    firstOfName.set(key, first ?? planned);
    if (first === undefined || first.pointer === pointer) return [];
    const message = `Two cases of this file have the name ${JSON.stringify(name.slice(name.indexOf('/') + 1))}. Rename one of them.`;
    const related = [{ file, pointer: `${first.pointer}/name`, message: 'the other one' }];
    return [{ code: 'schema', severity: 'error', message, file, pointer: `${pointer}/name`, related }];
  });
}

async function refusedInputs(cases: readonly PlannedCase[], { load }: FaultyCasesRequest): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const planned of cases) {
    const loaded = await load(planned);
    // A refused subject is reported by its runs.
    if (loaded instanceof Refused) continue;
    const refuse = (pointer: string, message: string) =>
      findings.push({ code: 'input-invalid', severity: 'error', message, file: planned.file, pointer });
    if (!('agent' in loaded)) {
      if (planned.turns.length > 1) refuse(`${planned.pointer}/turns`, teamConversationFault(planned.subject));
      for (const { pointer, input } of planned.turns)
        for (const issue of loaded.orchestration.checkInput(input))
          refuse(`${pointer}/context${issue.path}`, `${planned.subject} refuses this input: ${issueSentence(issue, 'The input')}`);
      continue;
    }
    const { prompt, resolved } = loaded.agent;
    const id = `${prompt.agent_name}@${prompt.version}`;
    const fault = planned.turns.length > 1 ? conversationFault(id, resolved.config) : undefined;
    if (fault !== undefined) refuse(`${planned.pointer}/turns`, fault);
    for (const turn of planned.turns) {
      for (const issue of prompt.checkPayload(turn.input))
        refuse(`${turn.pointer}/input${issue.path}`, `${id} refuses this input: ${issueSentence(issue, 'The input')}`);
    }
  }
  return findings;
}

async function placed(findings: readonly Finding[], files: Ports['files']): Promise<readonly PlacedFinding[]> {
  const byFile = new Map<string, Finding[]>();
  for (const finding of findings) byFile.set(finding.file, [...(byFile.get(finding.file) ?? []), finding]);
  const placedFindings: PlacedFinding[] = [];
  for (const [file, own] of byFile) placedFindings.push(...placeFindings(await files.readText(file), own));
  return placedFindings;
}
