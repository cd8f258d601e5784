import * as vscode from 'vscode';
import { Refused } from '../../../core/agent/load/refused.js';
import { AgentStackError } from '../../../core/errors.js';
import { expectationsOf } from '../../../core/eval/readCases.js';
import { createEvalWords } from '../../../core/eval/report/evalWords.js';
import { reportCase } from '../../../core/eval/report/reportCase.js';
import type { KeptRun } from '../../../core/eval/runner/evalStore.js';
import { type EvalSubject, judgesOf, type PlannedCase } from '../../../core/eval/runner/plan.js';
import { selectCases } from '../../../core/eval/runner/selectCases.js';
import { askedKey, testKey } from '../../../core/eval/verdictKey.js';
import { createLoader } from '../../../core/project/evalLoader.js';
import { loadPatterns } from '../../../core/routing/patterns.js';
import type { Client } from '../../client.js';
import { debounce } from '../../debounce.js';
import { openEvalProject } from '../../panels/evals/openEvalProject.js';
import type { ProjectFolder } from '../../projects.js';
import { reportFailure } from '../../reportFailure.js';
import { byFolder, caseId, hasSubject } from './caseItems.js';
import { runChosen } from './runChosen.js';
import { showOutcome } from './showOutcome.js';
import type { TestsRequest } from './tests.js';
import type { CaseItem } from './types.js';

/** The state of a case at the last look. */
interface Known {
  /** Of all that decides an answer; undefined where the agent cannot run. */
  readonly key: string | undefined;
  readonly judgedBy: string;
  /** Its answers in this continuous run. */
  readonly runs: readonly KeptRun[] | undefined;
}

/**
 * A continuous run: after each save it asks the cases for which something that decides an answer has changed, and judges the others again by what they were
 * answered before. Ends when the user stops it.
 */
export async function followSaves(client: Client, testsRequest: TestsRequest): Promise<void> {
  const { tree, request, token } = testsRequest;
  const states = new Map<string, Known>();
  let isAgreed = false;

  async function look(isFirst: boolean): Promise<void> {
    await tree.ready();
    const again: CaseItem[] = [];
    const judged: { readonly item: CaseItem; readonly planned: PlannedCase; readonly runs: readonly KeptRun[] }[] = [];
    for (const [folder, cases] of byFolder(tree.cases(request.include, request.exclude))) {
      for (const { item: one, planned, key } of await readKeys(client, folder, cases)) {
        const { id } = one.item;
        const before = states.get(id);
        const judgedBy = JSON.stringify([
          planned.turns.map(({ expect, expected }) => [expect, expected]),
          planned.repeats,
          planned.pass_rate,
        ]);
        const hasMoved = before !== undefined && key !== undefined && before.key !== key;
        const isOther = before !== undefined && before.judgedBy !== judgedBy;
        const runs = hasMoved ? undefined : before?.runs;
        states.set(id, { key: key ?? before?.key, judgedBy, runs });
        // A new case has no answer yet.
        if (isFirst || (!hasMoved && !isOther && before !== undefined)) continue;
        if (runs === undefined || runs.length < planned.repeats || needsJudge(planned, runs)) again.push(one);
        else judged.push({ item: one, planned, runs });
      }
    }
    if (token.isCancellationRequested) return;
    if (judged.length > 0) {
      const run = testsRequest.controller.createTestRun(request);
      const words = createEvalWords(vscode.l10n.t, vscode.env.language);
      const patterns = await loadPatterns();
      for (const { item: one, planned, runs } of judged)
        showOutcome(run, one, client.cover.apply(reportCase(planned, runs.slice(0, planned.repeats), patterns)), words, planned);
      run.end();
    }
    if (again.length === 0) return;
    const items = new Map(again.map((caseItem) => [caseId(caseItem.place), caseItem.item.id]));
    await runChosen(client, testsRequest, again, {
      token,
      isAgreed,
      onCase(planned, _report, runs) {
        const id = items.get(caseId(planned));
        const before = id === undefined ? undefined : states.get(id);
        if (id !== undefined && before !== undefined) states.set(id, { ...before, runs });
        isAgreed = true;
      },
    });
  }

  await look(true);
  const saves = debounce(() => look(false).catch((error: unknown) => void reportFailure(client, 'Test Explorer', error)), 100);
  const listener = vscode.workspace.onDidSaveTextDocument(({ uri }) => {
    if (client.projects.of(uri) !== undefined) saves.add('saved');
  });
  await new Promise<void>((resolve) => {
    if (token.isCancellationRequested) resolve();
    else token.onCancellationRequested(() => resolve());
  });
  listener.dispose();
  saves.dispose();
}

/** An expectation has a judge that it did not have then. */
function needsJudge(planned: PlannedCase, runs: readonly KeptRun[]): boolean {
  return planned.turns.some(({ expect }, at) =>
    judgesOf(expect.map(({ entry }) => entry)).some((judge) => runs.some(({ turns }) => turns[at]?.judges.has(judge) === false)),
  );
}

interface Keyed {
  readonly item: CaseItem;
  readonly planned: PlannedCase;
  readonly key: string | undefined;
}

/** The key of the request, without the expectations of the answer. */
async function readKeys(client: Client, folder: ProjectFolder, cases: readonly CaseItem[]): Promise<readonly Keyed[]> {
  const place = await openEvalProject(client, folder);
  const { project } = place;
  const index = await project.index();
  const items = new Map(cases.map((caseItem) => [caseId(caseItem.place), caseItem]));
  const names = [...new Set(cases.filter((caseItem) => hasSubject(index, caseItem)).map((one) => one.place.subject))];
  if (names.length === 0) return [];
  let planned: readonly PlannedCase[];
  try {
    planned = await selectCases(index, project.ports.files, { names, tags: [] });
  } catch (error) {
    // A file that is not valid JSON is marked at its place.
    if (error instanceof AgentStackError) return [];
    throw error;
  }
  const loader = createLoader(place, index);
  const load = async (evalSubject: EvalSubject) => {
    const loaded = await loader.load(evalSubject, null);
    if (loaded instanceof Refused) return undefined;
    return 'agent' in loaded ? loaded.agent : loaded.orchestration;
  };
  const keyed: Keyed[] = [];
  for (const plannedCase of planned) {
    const item = items.get(caseId(plannedCase));
    if (item === undefined) continue;
    const subject = await load(plannedCase);
    const judges = new Map<string, NonNullable<typeof subject>>();
    for (const reference of judgesOf(expectationsOf(plannedCase))) {
      const judge = loader.judgeOf(reference);
      const loaded = judge && (await load(judge));
      if (loaded !== undefined) judges.set(reference, loaded);
    }
    keyed.push({ item: item, planned: plannedCase, key: subject && keyOf(subject, plannedCase, judges, project.ports.sha256) });
  }
  return keyed;
}

function keyOf(
  subject: Parameters<typeof askedKey>[0]['subject'],
  { turns }: PlannedCase,
  judges: Parameters<typeof testKey>[0]['judges'],
  sha256: (text: string) => string,
): string | undefined {
  try {
    const tested = { turns: turns.map(({ pointer, input }) => ({ pointer, input, expect: [], expected: undefined })) };
    return `${askedKey({ subject, tested, sha256 })} ${testKey({ tested, judges, sha256 })}`;
  } catch (error) {
    // An input that does not fit is marked at its place.
    if (error instanceof AgentStackError) return undefined;
    throw error;
  }
}
