import type { DebugProtocol } from '@vscode/debugprotocol';
import type { AgentEvent } from '../agent/events.js';
import { CancelledError } from '../errors.js';
import { isObject, type Json, type JsonObject } from '../json.js';
import { coverText } from '../secrets/coverValue.js';
import { Breakpoints } from './breakpoints.js';
import {
  DebugSession,
  Handles,
  InitializedEvent,
  OutputEvent,
  Scope,
  StoppedEvent,
  TerminatedEvent,
  Thread,
  ThreadEvent,
} from './dapSdk.js';
import { type DebuggedProject, type DebugHost, type LaunchArguments, type PreparedLaunch, prepareLaunch, stopKinds } from './launch.js';
import { RunControl, type StopNotice } from './runControl.js';
import { framesAt } from './stackAt.js';
import type { StepKind } from './stepping.js';
import { changeTo, textOf, valueAtPath, valuesAt, withValue } from './stopValues.js';

/** A value with members, and where it is: the name of the value at the stop, and the path in it. */
interface Node {
  readonly value: Json;
  readonly path: readonly string[];
}

/**
 * A debugger of runs over the Debug Adapter Protocol. It gives the run a gate, and shows what waits there; the run itself is that of every face.
 */
export class AgentDebugSession extends DebugSession {
  readonly #host: DebugHost;
  readonly #over = new AbortController();
  readonly #nodes = new Handles<Node>();
  readonly #breakpoints = new Breakpoints((line) =>
    this.sendEvent(new OutputEvent(`${coverText(line, this.#opened?.project.ports.knownSecrets)}\n`, 'console')),
  );
  #opened: DebuggedProject | undefined;
  #launching: Promise<PreparedLaunch> | undefined;
  #launch: LaunchArguments | undefined;
  #configured: () => void = () => undefined;
  readonly #isConfigured = new Promise<void>((resolve) => {
    this.#configured = resolve;
  });
  readonly #control = new RunControl({
    isHit: (stop) => {
      const breakpoint = this.#breakpoints.hitAt(stop);
      if (breakpoint) return breakpoint;
      return (this.#launch?.stopBefore ?? []).some((name) => stopKinds[name]?.includes(stop.at)) && 'entry';
    },
    stopped: (notice) => this.#stopped(notice),
    threadChanged: (reason, thread) => this.sendEvent(new ThreadEvent(reason, thread)),
  });

  constructor(host: DebugHost) {
    super();
    this.#host = host;
    this.setDebuggerLinesStartAt1(true);
    this.setDebuggerColumnsStartAt1(true);
  }

  protected override initializeRequest(response: DebugProtocol.InitializeResponse): void {
    response.body = {
      supportsConfigurationDoneRequest: true,
      supportsEvaluateForHovers: true,
      supportsSetVariable: true,
      supportsConditionalBreakpoints: true,
      supportsHitConditionalBreakpoints: true,
      supportsLogPoints: true,
      supportsTerminateRequest: true,
      supportsStepBack: true,
    };
    this.sendResponse(response);
  }

  protected override launchRequest(response: DebugProtocol.LaunchResponse, args: LaunchArguments = {}): void {
    this.#answer(response, async () => {
      const { stopBefore = [] } = args;
      const unknown = stopBefore.filter((name) => !Object.hasOwn(stopKinds, name));
      if (unknown.length > 0) throw new Error(`"stopBefore" has ${unknown.join(', ')}. There are: ${Object.keys(stopKinds).join(', ')}.`);
      this.#launching = this.#prepare(args);
      const { begin } = await this.#launching;
      this.sendEvent(new InitializedEvent());
      void this.#isConfigured.then(() => this.#follow(begin));
    });
  }

  async #prepare(args: LaunchArguments): Promise<PreparedLaunch> {
    this.#opened = await this.#host.open(args.project);
    const prepared = await prepareLaunch(this.#opened, args, this.#host.recordedCall, {
      gate: (stop) => (args.noDebug ? undefined : this.#control.gate(stop)),
      signal: this.#over.signal,
    });
    this.#launch = prepared.launch;
    return prepared;
  }

  async #follow(run: () => AsyncIterable<AgentEvent>): Promise<void> {
    try {
      for await (const event of this.#over.signal.aborted ? [] : run()) {
        this.#control.follow(event);
        if (event.type === 'chunk') this.sendEvent(new OutputEvent(event.text, 'stdout'));
        if (!event.final) continue;
        const unmet = this.#launch?.noDebug ? [] : await this.#breakpoints.unmetBy(event.result);
        if (unmet.length > 0) await this.#control.stopAtEnd(unmet.join('\n'));
        const { status, error, output, text, metadata } = event.result;
        this.sendEvent(new OutputEvent(`\n${output === null ? text : JSON.stringify(output, null, 2)}\n`, 'stdout'));
        const edits = metadata.edits === undefined ? '' : `, ${metadata.edits} changed by hand`;
        this.sendEvent(
          new OutputEvent(`${status}${edits}${error ? `: ${error.code} ${error.message}` : ''}\n`, error ? 'stderr' : 'console'),
        );
      }
    } catch (error) {
      this.sendEvent(new OutputEvent(`${messageOf(error)}\n`, 'stderr'));
    }
    this.#control.end();
    this.sendEvent(new TerminatedEvent());
  }

  #stopped({ reason, thread, words }: StopNotice): void {
    this.#nodes.reset();
    const event: DebugProtocol.StoppedEvent = new StoppedEvent(reason, thread);
    event.body = { reason, threadId: thread, description: words, text: words, allThreadsStopped: false };
    this.sendEvent(event);
  }

  protected override setBreakPointsRequest(
    response: DebugProtocol.SetBreakpointsResponse,
    args: DebugProtocol.SetBreakpointsArguments,
  ): void {
    this.#answer(response, async () => {
      // Some clients send them before the answer to "launch".
      const { launch } = (await this.#launching) ?? {};
      const opened = this.#opened;
      if (!opened || !launch) throw new Error('Breakpoints are set after "launch".');
      response.body = {
        breakpoints: await this.#breakpoints.set(opened, launch, args.source.path ?? '', args.breakpoints ?? []),
      };
    });
  }

  protected override configurationDoneRequest(response: DebugProtocol.ConfigurationDoneResponse): void {
    this.#configured();
    this.sendResponse(response);
  }

  protected override threadsRequest(response: DebugProtocol.ThreadsResponse): void {
    const name = this.#launch?.orchestration ?? this.#launch?.agent ?? 'run';
    const threads = this.#control.threads.list(name).map((thread) => new Thread(thread.id, thread.name));
    const { thread, stop } = this.#control.view?.moment ?? {};
    // The task of a past moment may have ended.
    const isListed = thread === undefined || threads.some(({ id }) => id === thread);
    response.body = { threads: isListed ? threads : [...threads, new Thread(thread, `${stop?.team}/${stop?.task} (ended)`)] };
    this.sendResponse(response);
  }

  protected override stackTraceRequest(response: DebugProtocol.StackTraceResponse, { threadId }: DebugProtocol.StackTraceArguments): void {
    this.#answer(response, async () => {
      const opened = this.#opened;
      const { stop, thread, breakpoint } = this.#control.view?.moment ?? {};
      if (!opened || !stop) throw new Error('The run is not stopped.');
      if (threadId !== thread) throw new Error('This thread is not stopped.');
      const frames = await framesAt(opened, this.#launch?.orchestration, stop, breakpoint);
      response.body = { stackFrames: frames, totalFrames: frames.length };
    });
  }

  protected override scopesRequest(response: DebugProtocol.ScopesResponse): void {
    const values = this.#values();
    response.body = {
      scopes: Object.entries(values ?? {}).map(([name, value]) => new Scope(name, this.#nodes.create({ value, path: [name] }), false)),
    };
    this.sendResponse(response);
  }

  protected override variablesRequest(
    response: DebugProtocol.VariablesResponse,
    { variablesReference }: DebugProtocol.VariablesArguments,
  ): void {
    const node = this.#nodes.get(variablesReference);
    const members = !node
      ? []
      : isObject(node.value) || Array.isArray(node.value)
        ? Object.entries(node.value)
        : [['value', node.value] as const];
    response.body = {
      variables: members.map(([name, value]) =>
        this.#variable(name, value as Json, isScalar(node?.value) ? (node?.path ?? []) : [...(node?.path ?? []), name]),
      ),
    };
    this.sendResponse(response);
  }

  protected override evaluateRequest(response: DebugProtocol.EvaluateResponse, { expression }: DebugProtocol.EvaluateArguments): void {
    this.#answer(response, async () => {
      const values = this.#values();
      if (!values) throw new Error('The run is not stopped.');
      const value = valueAtPath(values, expression);
      if (value === undefined) throw new Error(`There is no ${expression} here. There are: ${Object.keys(values).join(', ')}.`);
      const { value: result, variablesReference } = this.#variable(expression, value, []);
      response.body = { result, variablesReference };
    });
  }

  protected override setVariableRequest(response: DebugProtocol.SetVariableResponse, args: DebugProtocol.SetVariableArguments): void {
    this.#answer(response, async () => {
      const view = this.#control.view;
      const node = this.#nodes.get(args.variablesReference);
      const values = this.#values();
      if (!view || !node || !values) throw new Error('The run is not stopped.');
      const { stop } = view.moment;
      if (view.locked !== undefined) throw new Error(view.locked);
      const path = isScalar(node.value) ? node.path : [...node.path, args.name];
      const [root = '', ...inner] = path;
      const before = valueAtPath(values, path.join('.'));
      const change = changeTo(stop, root, withValue(values[root] ?? null, inner, readAs(before, args.value)));
      if (!change) throw new Error(`${root} cannot be changed here.`);
      const issues = await stop.check(change);
      if (issues.length > 0) throw new Error(issues.map(({ message }) => message).join(' '));
      this.#control.change(change);
      const { value, variablesReference } = this.#variable(args.name, readAs(before, args.value), path);
      response.body = { value, variablesReference };
    });
  }

  protected override continueRequest(response: DebugProtocol.ContinueResponse): void {
    response.body = { allThreadsContinued: false };
    this.#go(response, undefined);
  }

  protected override nextRequest(response: DebugProtocol.NextResponse): void {
    this.#go(response, 'over');
  }

  protected override stepInRequest(response: DebugProtocol.StepInResponse): void {
    this.#go(response, 'into');
  }

  protected override stepOutRequest(response: DebugProtocol.StepOutResponse): void {
    this.#go(response, 'out');
  }

  protected override stepBackRequest(response: DebugProtocol.StepBackResponse): void {
    this.#back(response, 'previous');
  }

  protected override reverseContinueRequest(response: DebugProtocol.ReverseContinueResponse): void {
    this.#back(response, 'hit');
  }

  protected override pauseRequest(response: DebugProtocol.PauseResponse, { threadId }: DebugProtocol.PauseArguments): void {
    this.sendResponse(response);
    this.#control.pause(threadId);
  }

  protected override terminateRequest(response: DebugProtocol.TerminateResponse): void {
    this.#end();
    this.sendResponse(response);
  }

  protected override disconnectRequest(response: DebugProtocol.DisconnectResponse): void {
    this.#end();
    this.sendResponse(response);
  }

  #end(): void {
    this.#over.abort(new CancelledError('The debugger ended the run.'));
    this.#control.end();
    this.#configured();
  }

  #go(response: DebugProtocol.Response, kind: StepKind | undefined): void {
    this.#nodes.reset();
    this.sendResponse(response);
    this.#control.go(kind);
  }

  #back(response: DebugProtocol.Response, to: 'previous' | 'hit'): void {
    let index: number;
    try {
      index = this.#control.previous(to);
    } catch (error) {
      this.#refuse(response, error);
      return;
    }
    this.sendResponse(response);
    this.#control.lookAt(index, to === 'hit' ? 'breakpoint' : 'step');
  }

  #values(): JsonObject | undefined {
    const view = this.#control.view;
    if (!view) return undefined;
    const { stop, change } = view.moment;
    return { ...(view.answer !== undefined && { answer: view.answer }), ...valuesAt(stop, change) };
  }

  #variable(name: string, value: Json, path: readonly string[]): DebugProtocol.Variable {
    return { name, value: textOf(value), variablesReference: isScalar(value) ? 0 : this.#nodes.create({ value, path }) };
  }

  /** Sends the response when the work is done, or what went wrong. */
  #answer(response: DebugProtocol.Response, work: () => Promise<void>): void {
    work().then(
      () => this.sendResponse(response),
      (error: unknown) => this.#refuse(response, error),
    );
  }

  #refuse(response: DebugProtocol.Response, error: unknown): void {
    // Without variables, a `{_name}` in the text would throw.
    this.sendErrorResponse(response, { id: 1, format: messageOf(error), variables: {}, showUser: true });
  }
}

function isScalar(value: Json | undefined): boolean {
  return !(isObject(value) || Array.isArray(value));
}

/** What was typed, as a text where there was one, else as JSON. @throws if it is not JSON */
function readAs(before: Json | undefined, typed: string): Json {
  if (typeof before === 'string') return typed;
  return JSON.parse(typed) as Json;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
