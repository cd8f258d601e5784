import type { LoadedAgent } from '../../agent/load/loadAgent.js';
import { Refused } from '../../agent/load/refused.js';
import { findingsLine } from '../../agent/load/throwErrors.js';
import { checkProject } from '../../check/checkProject.js';
import type { LoadedIndex } from '../../config/loadProjectIndex.js';
import { ConfigInvalidError } from '../../errors.js';
import type { Finding, PlacedFinding } from '../../finding.js';
import { placeFindings } from '../../jsonText/placeFindings.js';
import type { Ports } from '../../ports.js';
import { issueSentence } from '../../prompt/payloadCheck.js';
import type { LoadedOrchestration } from '../../team/loadOrchestration.js';
import type { EvalSubject, PlannedCase } from './plan.js';

export interface FaultyCasesRequest {
  readonly index: LoadedIndex;
  readonly ports: Pick<Ports, 'files' | 'environment'>;
  readonly environment: string | undefined;
  readonly load: (subject: EvalSubject) => Promise<LoadedAgent | LoadedOrchestration | Refused>;
}

/**
 * Refuses, before any call is made, case files with errors of `check`, two cases of one name, and inputs that do not fit the version that will be
 * asked. Such inputs are refused even where the project has turned the rule `input-invalid` off.
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

/** Their verdicts would be told apart by nothing. */
function sameNames(cases: readonly PlannedCase[]): readonly Finding[] {
  const known = new Map<string, PlannedCase>();
  return cases.flatMap((one): readonly Finding[] => {
    const { file, pointer, name, subject, version } = one;
    const key = JSON.stringify([file, name, subject, version]);
    const first = known.get(key);
    known.set(key, first ?? one);
    if (first === undefined || first.pointer === pointer) return [];
    const message = `Two cases of this file have the name ${JSON.stringify(name.slice(name.indexOf('/') + 1))}. Rename one of them.`;
    const related = [{ file, pointer: `${first.pointer}/name`, message: 'the other one' }];
    return [{ code: 'schema', severity: 'error', message, file, pointer: `${pointer}/name`, related }];
  });
}

async function refusedInputs(cases: readonly PlannedCase[], { load }: FaultyCasesRequest): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const one of cases) {
    const loaded = await load(one);
    // What cannot run is told by its own runs, and the context of an orchestration may hold anything.
    if (loaded instanceof Refused || !('agent' in loaded)) continue;
    const { prompt } = loaded.agent;
    for (const issue of prompt.checkPayload(one.input)) {
      const message = `${prompt.agent_name}@${prompt.version} refuses this input: ${issueSentence(issue, 'The input')}`;
      const pointer = `${one.pointer}/input${issue.path}`;
      findings.push({ code: 'input-invalid', severity: 'error', message, file: one.file, pointer });
    }
  }
  return findings;
}

async function placed(findings: readonly Finding[], files: Ports['files']): Promise<readonly PlacedFinding[]> {
  const byFile = new Map<string, Finding[]>();
  for (const finding of findings) byFile.set(finding.file, [...(byFile.get(finding.file) ?? []), finding]);
  const all: PlacedFinding[] = [];
  for (const [file, own] of byFile) all.push(...placeFindings(await files.readText(file), own));
  return all;
}
