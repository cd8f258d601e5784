import type { SessionMessage } from '../../../core/agent/types.js';
import { createNodeFiles } from '../../../core/node/nodeFiles.js';
import { runsFolder } from '../../../core/run/readRuns.js';
import { readSessionRuns } from '../../../core/run/sessionStore.js';
import type { ChatTarget } from '../../panels/chat/chats.js';
import { newFacts, Transcript, toFields } from '../../panels/run/transcript.js';
import type { ShownRun } from '../../panels/run/types.js';
import { readStoredRun } from '../runs/storedRun.js';

/** The turns of a session: the run of each from its folder, or, where that was deleted, what the session itself remembers. */
export async function readTurns(target: ChatTarget): Promise<readonly ShownRun[]> {
  const { folder, session } = target;
  const files = createNodeFiles(folder.root);
  const kept = new Set((await files.list(runsFolder)).map(({ name }) => name));
  const turns: ShownRun[] = [];
  for (const { run_id, messages } of await readSessionRuns(files, session)) {
    turns.push(kept.has(run_id) ? await readStoredRun({ folder, run_id }, false) : remembered(target, run_id, messages));
  }
  return turns;
}

/** A turn of which there are only messages. */
function remembered({ folder, agent_name, version, session }: ChatTarget, run_id: string, messages: readonly SessionMessage[]): ShownRun {
  const userMessage = messages.find(({ role }) => role === 'user');
  const answered = messages.findLast(({ role }) => role === 'assistant');
  const facts = newFacts({
    run_id,
    agent: agent_name,
    version,
    project: folder.name,
    root: folder.root,
    status: 'completed',
    session,
    input: toFields({ message: messageText(userMessage) }, 'unchecked'),
  });
  const transcript = new Transcript(facts);
  transcript.end({ run_id, status: 'completed', text: messageText(answered) });
  transcript.set({ tokens: null });
  return { folder, transcript, onDidAdd: () => ({ dispose: () => undefined }), isLive: false, cancel: () => undefined };
}

function messageText(message: SessionMessage | undefined): string {
  if (message === undefined) return '';
  if (typeof message.content === 'string') return message.content;
  return message.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
