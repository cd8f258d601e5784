import type { SessionInfo, SessionUpdate } from '@agentclientprotocol/sdk';
import type { SessionMessage } from '../../agent/types.js';
import type { FileSystem } from '../../ports.js';
import { readRunSummary } from '../../run/readRuns.js';
import { timeOfId } from '../../run/runSummary.js';
import { readSessionRuns, type SessionRun, sessionsFolder } from '../../run/sessionStore.js';
import { shorten } from '../../words.js';

/** Ids of sessions that ACP clients begin: other sessions of the project are not theirs to see. */
export const sessionPrefix = 'acp-';
/** Sessions in a list, the newest. */
const mostSessions = 50;
const longestTitle = 80;

type Files = Pick<FileSystem, 'readText' | 'list'>;

/** Whether one of two absolute paths of folders is the other, or inside it: an editor may be open above the project or below. */
export function isNear(folder: string, other: string): boolean {
  const [one, two] = [folder, other].map((path) => {
    const plain = `${path.replaceAll('\\', '/').replace(/\/+$/, '')}/`;
    return /^[a-z]:/i.test(plain) ? plain.toLowerCase() : plain;
  }) as [string, string];
  return one.startsWith(two) || two.startsWith(one);
}

/** The stored sessions of ACP clients, newest first. */
export async function listSessions(files: Files, cwd: string): Promise<SessionInfo[]> {
  const names = (await files.list(sessionsFolder)).map(({ name }) => name).filter((name) => /^acp-[0-9a-f]{32}\.jsonl$/.test(name));
  const newest = names.sort().reverse().slice(0, mostSessions);
  const sessions = newest.map(async (name): Promise<SessionInfo> => {
    const sessionId = name.slice(0, -'.jsonl'.length);
    // One that cannot be read stays in the list: to load it says why.
    const runs = await readSessionRuns(files, sessionId).catch((): readonly SessionRun[] => []);
    const time = timeOfId(runs.at(-1)?.run_id ?? '');
    const title = runs[0]?.messages.map(spokenText).find((text) => text !== '');
    return {
      sessionId,
      cwd,
      ...(title !== undefined && { title: shorten(title.replaceAll(/\s+/g, ' ').trim(), longestTitle) }),
      ...(time !== null && { updatedAt: new Date(time).toISOString() }),
    };
  });
  return Promise.all(sessions);
}

/** Name and version of the agent that answered last; undefined if its run was not kept. */
export async function lastAgent(files: Files, runs: readonly SessionRun[]): Promise<string | undefined> {
  const last = runs.at(-1);
  if (last === undefined) return undefined;
  const { name, version } = await readRunSummary(files, last.run_id);
  return name === null ? undefined : version === null ? name : `${name}@${version}`;
}

/** A stored conversation as updates: what the user and the agent said, and the calls with their results. */
export function historyUpdates(runs: readonly SessionRun[]): readonly SessionUpdate[] {
  return runs.flatMap(({ run_id, messages }) => messages.flatMap((message, index) => messageUpdates(message, run_id, index)));
}

function messageUpdates({ role, content }: SessionMessage, run_id: string, index: number): readonly SessionUpdate[] {
  const sessionUpdate = role === 'user' ? 'user_message_chunk' : 'agent_message_chunk';
  const say = (text: string): SessionUpdate => ({ sessionUpdate, messageId: `${run_id}/${index}`, content: { type: 'text', text } });
  if (typeof content === 'string') return [say(content)];
  return content.flatMap((block): SessionUpdate[] => {
    if (block.type === 'text') return [say(block.text)];
    if (block.type === 'thinking') return [];
    const toolCallId = `${run_id}/${block.type === 'tool_use' ? block.id : block.tool_use_id}`;
    if (block.type === 'tool_use')
      return [{ sessionUpdate: 'tool_call', toolCallId, title: block.name, rawInput: block.input, status: 'in_progress' }];
    const result = { type: 'content', content: { type: 'text', text: block.content } } as const;
    return [{ sessionUpdate: 'tool_call_update', toolCallId, status: block.is_error ? 'failed' : 'completed', content: [result] }];
  });
}

function spokenText({ role, content }: SessionMessage): string {
  if (role !== 'user') return '';
  return typeof content === 'string' ? content : content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}
