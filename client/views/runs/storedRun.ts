import { isObject } from '../../../core/json.js';
import { createNodeFiles } from '../../../core/node/nodeFiles.js';
import { readRun } from '../../../core/run/readRuns.js';
import { readSnapshot } from '../../../core/run/readSnapshot.js';
import { readEnd } from '../../../core/run/story/readEnd.js';
import { objectAt, ownAt, textAt } from '../../../core/run/untrusted.js';
import { storedRecording } from '../../panels/run/recordings.js';
import { newFacts, Transcript, toFields } from '../../panels/run/transcript.js';
import type { RunReference, ShownRun } from '../../panels/run/types.js';
import { priceOfRun, storedOrigins } from './storedFacts.js';

/** A run read back from its folder, as a panel shows it: as far as its files can be read. */
export async function readStoredRun({ folder, run_id }: RunReference, isPinned: boolean): Promise<ShownRun> {
  const files = createNodeFiles(folder.root);
  const { summary, run, result, events, problems } = await readRun(files, run_id);
  const hash = textAt(run, 'snapshot_hash') ?? textAt(objectAt(result ?? {}, 'metadata'), 'snapshot_hash') ?? '';
  const snapshot = await readSnapshot(files, run_id, hash);
  const input = ownAt(run, 'input');
  const isTeams = summary.kind === 'orchestration';
  const session = textAt(objectAt(run, 'context'), 'session_id');
  const facts = newFacts({
    kind: isTeams ? 'orchestration' : 'agent',
    run_id,
    agent: summary.name ?? run_id,
    version: summary.version ?? '',
    project: folder.name,
    root: folder.root,
    status: summary.state,
    started: summary.started,
    duration_ms: summary.duration_ms,
    provider: summary.provider,
    model: summary.model_name,
    profile: isTeams ? null : (summary.llm_id ?? snapshot?.llm_id ?? null),
    payload: summary.case,
    simulated: summary.simulated,
    snapshot: snapshot === undefined ? null : hash,
    input: isObject(input) ? toFields(input, 'unchecked') : [],
    problems,
    session,
    canContinue: !isTeams && session !== null && summary.state === 'completed' && ownAt(snapshot?.config ?? {}, 'include_history') === true,
    isDurable: summary.can_resume,
    canResume: summary.can_resume,
    recording: storedRecording(folder, run),
    isPinned,
    isKept: true,
  });
  const transcript = new Transcript(facts, { price: priceOfRun(readEnd(result ?? {})), originOf: storedOrigins(snapshot) });
  for (const event of events) transcript.add(event);
  // The result is read independently: events may be torn, or too many to be read.
  if (result !== null) transcript.end(result);
  // The content of the files counts, not their names.
  transcript.set({ run_id, snapshot: snapshot === undefined ? null : hash, isKept: true, canResume: facts.canResume });
  // One that was resumed and interrupted again, or stopped at a question, has reported an end that was none.
  if (summary.state === 'open') transcript.set({ status: 'open' });
  return { folder, transcript, onDidAdd: never, isLive: false, cancel: () => undefined };
}

/** The event of a run that has ended: it never comes. */
function never(): { dispose(): void } {
  return { dispose: () => undefined };
}
