import type { AgentContext, PermissionOption, RequestPermissionRequest, ToolCallUpdate } from '@agentclientprotocol/sdk';
import { DeniedError } from '../../errors.js';
import { isObject } from '../../json.js';
import type { Clock, KnownSecrets } from '../../ports.js';
import { coverAll } from '../../secrets/coverValue.js';
import { type AllowedTools, namesOf } from '../../tools/allowedTools.js';
import { isPreapproved, nobodyToApprove } from '../../tools/policyReason.js';
import type { ApproveTool, Tool, ToolRequest } from '../../tools/types.js';

interface PermissionOptions {
  readonly client: AgentContext;
  readonly clock: Clock;
  readonly sessionId: string;
  /** What the command line allows: nobody is asked about it. */
  readonly allowed: AllowedTools;
  /** Tools that were allowed for the whole session, by `toolKey`. */
  readonly granted: Set<string>;
  readonly knownSecrets: KnownSecrets | undefined;
  readonly shownCall: (request: ToolRequest) => ToolCallUpdate;
  /** Shows that an allowed call is under way. */
  readonly onAllowed: (call: ToolCallUpdate) => void;
  /** Ends the turn. */
  readonly cancel: () => void;
}

const options: PermissionOption[] = [
  { optionId: 'allow', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'allow_session', name: 'Allow for this session', kind: 'allow_always' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
];

/** Asks the user through the client, which may take as long as it wants: the question ends with the turn. An unknown answer denies the call. */
export function requestPermission({ client, clock, sessionId, knownSecrets, ...turn }: PermissionOptions): ApproveTool {
  return async (request) => {
    const { tool, policy, signal } = request;
    signal.throwIfAborted();
    const key = toolKey(tool);
    if (isPreapproved(turn.allowed, request) || (policy === undefined && turn.granted.has(key))) return 'allow';
    const toolCall = coverAll(turn.shownCall(request), knownSecrets);
    // What a policy wants approved is approved call by call.
    const offered = policy === undefined ? options : options.filter(({ kind }) => kind !== 'allow_always');
    const question: RequestPermissionRequest = { sessionId, toolCall, options: offered };
    const answer: unknown = await client
      .request('session/request_permission', question, { cancellationSignal: signal, stopWaitingOnCancel: true })
      .catch((error: unknown) => {
        signal.throwIfAborted();
        if (policy) throw nobodyToApprove(request, policy);
        const reason = error instanceof Error ? error.message : String(error);
        const name = namesOf(tool).at(-1);
        throw new DeniedError(
          `The tool "${name}" needs your permission, and the client did not ask for it (${reason}). Add --allow-tools=${name}.`,
        );
      });
    // The SDK hands on an answer before a `session/cancel` that came before it: its handlers take turns.
    await clock.sleep(0, signal);
    signal.throwIfAborted();
    // It checks no answers.
    const outcome = isObject(answer) && isObject(answer.outcome) ? answer.outcome : {};
    if (outcome.outcome === 'cancelled') {
      turn.cancel();
      signal.throwIfAborted();
      return 'deny';
    }
    const isForSession = policy === undefined && outcome.optionId === 'allow_session';
    if (!isForSession && outcome.optionId !== 'allow') return 'deny';
    if (isForSession) turn.granted.add(key);
    turn.onAllowed(toolCall);
    return 'allow';
  };
}

/** A tool whose definition has changed is asked about again. */
function toolKey(tool: Tool): string {
  return JSON.stringify([tool.origin.type, namesOf(tool).at(-1), tool.description, tool.parameters]);
}
