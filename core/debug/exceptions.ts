import type { DebugProtocol } from '@vscode/debugprotocol';
import type { RunError } from '../agent/events.js';
import type { FindingKind, Stop } from '../agent/gate.js';
import { errorFinding } from '../agent/stopAtFinding.js';
import { didYouMean, nearestNames } from '../names.js';
import { describeStop } from './describeStop.js';
import { findingNames, findingTitle } from './findings.js';
import { readStopCondition, type StopCondition } from './stopCondition.js';
import { shownAt, valuesAt } from './stopValues.js';

const kinds = Object.keys(findingNames) as FindingKind[];

/** What an editor offers beside its breakpoints. */
export const exceptionFilters: DebugProtocol.ExceptionBreakpointsFilter[] = kinds.map((kind) => {
  const { filter, label, description } = findingNames[kind];
  const conditionDescription = '{"field": "finding.message", "operator": "contains", "value": "rate"}';
  return { filter, label, description, default: kind === 'error', supportsCondition: true, conditionDescription };
});

/** The findings at which a session stops. */
export class ExceptionBreakpoints {
  #wanted: readonly { readonly kind: FindingKind; readonly condition: StopCondition | undefined }[] = [];

  /** Replaces them. The answer has one for each filter, then one for each with options. */
  async set({ filters, filterOptions = [] }: DebugProtocol.SetExceptionBreakpointsArguments): Promise<DebugProtocol.Breakpoint[]> {
    const wanted: { kind: FindingKind; condition: StopCondition | undefined }[] = [];
    const answers: DebugProtocol.Breakpoint[] = [];
    for (const { filterId, condition = '' } of [...filters.map((filterId) => ({ filterId, condition: '' })), ...filterOptions]) {
      const read = await readFilter(filterId, condition);
      if ('reason' in read) answers.push({ verified: false, message: read.reason });
      else {
        wanted.push(read);
        answers.push({ verified: true });
      }
    }
    this.#wanted = wanted;
    return answers;
  }

  wants(wanted: FindingKind): boolean {
    return this.#wanted.some(({ kind }) => kind === wanted);
  }

  /** A condition that is not known to hold stops too. */
  isHitAt(stop: Stop): boolean {
    if (stop.at !== 'finding') return false;
    return this.#wanted.some(
      ({ kind, condition }) => kind === stop.finding.kind && condition?.judge(stop, valuesAt(stop, undefined)).truth !== false,
    );
  }
}

async function readFilter(
  filter: string,
  written: string,
): Promise<{ kind: FindingKind; condition: StopCondition | undefined } | { readonly reason: string }> {
  const kind = kinds.find((each) => findingNames[each].filter === filter);
  if (kind === undefined) {
    const names = kinds.map((each) => findingNames[each].filter);
    return { reason: `There is no finding ${filter}.${didYouMean(nearestNames(filter, names))} There are: ${names.join(', ')}.` };
  }
  const condition = written.trim() === '' ? undefined : await readStopCondition(written);
  if (condition && 'reason' in condition) return condition;
  const missing = condition?.roots.find((root) => root !== 'context' && !shownAt.finding.includes(root));
  if (missing !== undefined) return { reason: `At a finding there is no ${missing}. There are: ${shownAt.finding.join(', ')}.` };
  return { kind, condition };
}

/** What an editor shows of a finding. @param error with which the run as a whole has ended */
export function exceptionInfo(stop: Stop, error: RunError | undefined): DebugProtocol.ExceptionInfoResponse['body'] {
  const finding = stop.at === 'finding' ? stop.finding : error && errorFinding(error);
  if (!finding) throw new Error('The run is not stopped at a finding.');
  const { kind, code, message, issues = [] } = finding;
  const lines = issues.map(({ path, message: words }) => `- ${path === '' ? 'the answer' : path}: ${words}`);
  return {
    exceptionId: findingTitle(finding),
    description: [message, ...lines].join('\n'),
    breakMode: 'always',
    details: { message, typeName: code ?? findingNames[kind].filter, stackTrace: describeStop(stop) },
  };
}
