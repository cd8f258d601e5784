import type {
  AgentApp,
  AgentContext,
  PromptResponse,
  ResumeSessionRequest,
  SessionConfigOption,
  SessionModeState,
  SessionUpdate,
  StopReason,
} from '@agentclientprotocol/sdk';
import type { RunResult } from '../../agent/events.js';
import { AgentStackError, InputInvalidError } from '../../errors.js';
import { isObject } from '../../json.js';
import type { FileSystem, Random } from '../../ports.js';
import { readSessionRuns } from '../../run/sessionStore.js';
import { coverText } from '../../secrets/coverValue.js';
import type { AllowedTools } from '../../tools/allowedTools.js';
import { plural } from '../../words.js';
import { refusalWords } from '../describe.js';
import { type Exposed, findExposed, unknownWords } from '../exposed.js';
import { payloadOf } from '../payloadOf.js';
import type { CatalogState, Served } from '../served.js';
import { failureWords, runFacts, runMeta } from '../toolAnswer.js';
import { promptText } from './promptText.js';
import { requestPermission } from './requestPermission.js';
import { createRunUpdates } from './runUpdates.js';
import { historyUpdates, isNear, lastAgent, listSessions, sessionPrefix } from './sessionFiles.js';

export interface AcpServed extends Served {
  /** Absolute path of the project. */
  readonly root: string;
  readonly files: FileSystem;
  readonly random: Random;
  /** Tools that are called without asking. */
  readonly allowed: AllowedTools;
  /** Tokens that a model can take; undefined if unknown. */
  readonly windowOf: (model_name: string, provider: string | null) => number | undefined;
}

interface Session {
  readonly id: string;
  /** Tool name of the agent that answers. */
  agent: string;
  /** Tools that were allowed for the session. */
  readonly granted: Set<string>;
  turns: number;
  /** USD; null as soon as a cost is unknown. */
  cost: number | null;
  /** Of the turn under way. */
  cancel?: AbortController | undefined;
}

interface Turn {
  readonly client: AgentContext;
  readonly cancel: AbortController;
  /** Of the request. */
  readonly signal: AbortSignal;
}

/** Id of the config option that chooses the agent. Clients that have no options use the modes, which are the same. */
const agentOption = 'agent';

const codes = { invalidRequest: -32600, invalidParams: -32602, internal: -32603, notFound: -32002 } as const;

/** The ACP agent of one client: sessions in which the user chooses which exposed agent or orchestration answers. */
export async function createAcpAgent(served: AcpServed): Promise<AgentApp> {
  const { agent, PROTOCOL_VERSION, RequestError } = await import('./acpSdk.js');
  const { catalog, files, knownSecrets, logger, root } = served;
  const sessions = new Map<string, Session>();
  let offered = '';

  const refuse = (code: number, message: string, data?: unknown) => new RequestError(code, coverText(message, knownSecrets), data);

  /** Turns what a request throws into an error that names the remedy. */
  function answering<Context, Answer>(answer: (context: Context) => Promise<Answer>): (context: Context) => Promise<Answer> {
    return async (context) => {
      try {
        return await answer(context);
      } catch (error) {
        if (error instanceof RequestError) throw error;
        if (error instanceof InputInvalidError) throw refuse(codes.invalidParams, error.message);
        if (error instanceof AgentStackError) throw refuse(codes.internal, error.message);
        logger.log('error', 'acp request failed', { reason: error instanceof Error ? error.stack : String(error) });
        throw refuse(codes.internal, 'This is a fault of Agent Stack; its log has the details.');
      }
    };
  }

  function findSession(id: string): Session {
    const session = sessions.get(id);
    if (session === undefined) throw refuse(codes.notFound, `There is no open session ${JSON.stringify(id.slice(0, 100))}.`);
    return session;
  }

  function open(id: string, name: string): Session {
    const session = sessions.get(id) ?? { id, agent: name, granted: new Set(), turns: 0, cost: 0 };
    sessions.set(id, session);
    return session;
  }

  /** What answers at first: if possible an agent that takes a text. @throws RequestError if nothing is exposed */
  function firstOf({ exposed }: CatalogState): Exposed {
    const usable = exposed.filter(({ refusal }) => refusal === undefined);
    const first = usable.find(({ text_key }) => text_key !== undefined) ?? usable[0] ?? exposed[0];
    if (first === undefined)
      throw refuse(codes.internal, 'Nothing is served yet: set "expose": true in the file of an agent or orchestration.');
    return first;
  }

  function noteServers({ mcpServers = [] }: Pick<ResumeSessionRequest, 'mcpServers'>): void {
    if (mcpServers.length > 0)
      logger.log('warn', `${plural(mcpServers.length, 'MCP server')} of the client left out: agents call the tools of their own config`);
  }

  async function choose(session: Session, name: string): Promise<CatalogState> {
    const state = await catalog.current();
    const exposed = findExposed(state.exposed, name);
    if (exposed === undefined) throw refuse(codes.invalidParams, unknownWords(state.exposed, name));
    session.agent = exposed.tool_name;
    return state;
  }

  /** Opens a stored session, or one of this process. @param replay whether the client gets its messages */
  async function reopen({ sessionId: id, ...asked }: ResumeSessionRequest, client: AgentContext, replay: 'replay' | 'silent') {
    noteServers(asked);
    const state = await catalog.current();
    const stored = id.startsWith(sessionPrefix) ? await readSessionRuns(files, id) : [];
    if (stored.length === 0 && !sessions.has(id)) throw refuse(codes.notFound, `There is no session ${JSON.stringify(id.slice(0, 100))}.`);
    const name = await lastAgent(files, stored);
    const last = name === undefined ? undefined : findExposed(state.exposed, name);
    const session = open(id, (last ?? firstOf(state)).tool_name);
    if (replay === 'replay') for (const update of historyUpdates(stored)) await notify(client, id, update);
    return choices(state, session);
  }

  /** @throws RequestError for a run that failed in a way that the protocol has no reason for */
  async function prompt(session: Session, text: string, { client, cancel, signal }: Turn): Promise<PromptResponse> {
    const { exposed: all } = await catalog.current();
    const exposed = findExposed(all, session.agent);
    if (exposed === undefined) throw refuse(codes.invalidParams, unknownWords(all, session.agent));
    if (exposed.refusal !== undefined) throw refuse(codes.internal, `${exposed.id} is unavailable. ${refusalWords(exposed.refusal)}`);
    session.turns += 1;
    const send = (update: SessionUpdate) => void notify(client, session.id, update);
    const updates = createRunUpdates({
      exposed,
      send,
      turn: `${session.id}/${session.turns}`,
      windowOf: served.windowOf,
      sessionCost(cost) {
        session.cost = session.cost === null || cost === null ? null : session.cost + cost;
        return session.cost;
      },
    });
    const approve = requestPermission({
      client,
      clock: served.clock,
      sessionId: session.id,
      allowed: served.allowed,
      granted: session.granted,
      knownSecrets,
      shownCall: updates.shownCall,
      onAllowed: ({ toolCallId }) => send({ sessionUpdate: 'tool_call_update', toolCallId, status: 'in_progress' }),
      cancel: () => cancel.abort(),
    });
    const result = await served.run({
      exposed,
      payload: payloadOf(text, exposed),
      session_id: session.id,
      signal: AbortSignal.any([served.signal, cancel.signal, signal]),
      approve,
      onEvent: updates.add,
    });
    const stopReason = stopReasonOf(result);
    // Clients show these reasons as a short label, or not at all.
    const needsWords = stopReason !== undefined && stopReason !== 'end_turn' && stopReason !== 'cancelled';
    updates.end(result, needsWords ? failureWords(result) : undefined);
    const facts = { [runMeta]: runFacts(result) };
    if (stopReason !== undefined) return { stopReason, _meta: facts };
    throw refuse(result.error?.code === 'input-invalid' ? codes.invalidParams : codes.internal, failureWords(result), facts);
  }

  /** Sends the choices of every session again if a change of the files has changed them. */
  async function offerChanges(client: AgentContext): Promise<void> {
    const state = await catalog.current();
    const offer = JSON.stringify(agentsOf(state));
    if (offer === offered) return;
    offered = offer;
    for (const session of sessions.values()) {
      const { configOptions } = choices(state, session);
      await notify(client, session.id, { sessionUpdate: 'config_option_update', configOptions });
    }
  }

  return agent({ name: 'agent-stack' })
    .onConnect(({ client, signal }) => {
      const stop = catalog.watch(() => {
        offerChanges(client).catch((error: unknown) => logger.log('warn', 'changed files could not be read', { reason: String(error) }));
      });
      signal.addEventListener('abort', stop, { once: true });
    })
    .onRequest('initialize', () => ({
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: 'agent-stack', title: `Agent Stack: ${served.name}`, version: served.version },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: false, audio: false, embeddedContext: true },
        sessionCapabilities: { list: {}, resume: {}, close: {} },
      },
      authMethods: [],
    }))
    .onRequest(
      'session/new',
      answering(async ({ params }) => {
        noteServers(params);
        const state = await catalog.current();
        const session = open(`${sessionPrefix}${served.random.id()}`, firstOf(state).tool_name);
        return { sessionId: session.id, ...choices(state, session) };
      }),
    )
    .onRequest(
      'session/load',
      answering(({ params, client }) => reopen(params, client, 'replay')),
    )
    .onRequest(
      'session/resume',
      answering(({ params, client }) => reopen(params, client, 'silent')),
    )
    .onRequest(
      'session/list',
      answering(async ({ params: { cwd } }) => ({ sessions: cwd && !isNear(cwd, root) ? [] : await listSessions(files, cwd || root) })),
    )
    .onRequest(
      'session/close',
      answering(async ({ params: { sessionId } }) => {
        findSession(sessionId).cancel?.abort();
        sessions.delete(sessionId);
        return {};
      }),
    )
    .onRequest(
      'session/set_mode',
      answering(async ({ params: { sessionId, modeId }, client }) => {
        const session = findSession(sessionId);
        const { configOptions } = choices(await choose(session, modeId), session);
        await notify(client, sessionId, { sessionUpdate: 'config_option_update', configOptions });
        return {};
      }),
    )
    .onRequest(
      'session/set_config_option',
      answering(async ({ params: { sessionId, configId, value }, client }) => {
        const session = findSession(sessionId);
        if (configId !== agentOption || typeof value !== 'string')
          throw refuse(
            codes.invalidParams,
            `There is no option ${JSON.stringify(configId)} with such a value: the only one is "${agentOption}".`,
          );
        const { configOptions } = choices(await choose(session, value), session);
        await notify(client, sessionId, { sessionUpdate: 'current_mode_update', currentModeId: session.agent });
        return { configOptions };
      }),
    )
    .onRequest(
      'session/prompt',
      answering(async ({ params, client, signal }) => {
        const session = findSession(params.sessionId);
        if (session.cancel !== undefined)
          throw refuse(codes.invalidRequest, 'This session is answering a message. Wait until it has ended, or cancel it.');
        const cancel = new AbortController();
        session.cancel = cancel;
        try {
          return await prompt(session, promptText(params.prompt), { client, cancel, signal });
        } finally {
          session.cancel = undefined;
        }
      }),
    )
    .onNotification('session/cancel', ({ params: { sessionId } }) => sessions.get(sessionId)?.cancel?.abort());
}

/** A failure is ignored: the turn of a disconnected client ends by its signal. */
function notify(client: AgentContext, sessionId: string, update: SessionUpdate): Promise<void> {
  return client.notify('session/update', { sessionId, update }).catch(() => undefined);
}

function agentsOf({ exposed }: CatalogState): SessionModeState['availableModes'] {
  return exposed.map(({ tool_name, id, description }) => ({ id: tool_name, name: id, description }));
}

/** What can answer in a session, as a config option and as modes. */
function choices(
  state: CatalogState,
  { agent }: Session,
): { readonly configOptions: SessionConfigOption[]; readonly modes: SessionModeState } {
  const agents = agentsOf(state);
  const option: SessionConfigOption = {
    type: 'select',
    id: agentOption,
    name: 'Agent',
    description: 'The agent or orchestration that answers.',
    category: 'mode',
    currentValue: agent,
    options: agents.map(({ id, name, description = null }) => ({ value: id, name, description })),
  };
  return { configOptions: [option], modes: { currentModeId: agent, availableModes: agents } };
}

/** Undefined for a failure that the protocol has no word for. */
function stopReasonOf({ status, error }: RunResult): StopReason | undefined {
  if (status === 'completed') return 'end_turn';
  if (status === 'cancelled') return 'cancelled';
  const reason = isObject(error?.details) ? error.details.reason : undefined;
  switch (error?.code === 'llm' ? `llm/${String(reason)}` : error?.code) {
    case 'llm/refusal':
    case 'llm/content-filter':
      return 'refusal';
    case 'llm/length':
      return 'max_tokens';
    case 'max-iterations':
      return 'max_turn_requests';
    default:
      return undefined;
  }
}
