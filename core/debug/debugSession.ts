import type { DebugProtocol } from '@vscode/debugprotocol';
import type { AgentEvent } from '../agent/events.js';
import type { Change, Gate, Stop } from '../agent/gate.js';
import { CancelledError } from '../errors.js';
import { isObject, type Json, type JsonObject } from '../json.js';
import { coverText } from '../secrets/coverValue.js';
import { Breakpoints } from './breakpoints.js';
import { DebugSession, Handles, InitializedEvent, OutputEvent, Scope, StoppedEvent, TerminatedEvent, Thread } from './dapSdk.js';
import { type DebuggedProject, type DebugHost, type LaunchArguments, prepareLaunch, stopKinds } from './launch.js';
import { framesAt } from './stackAt.js';
import { changeTo, textOf, valueAtPath, valuesAt, withValue } from './stopValues.js';

/** One stop that waits. */
interface Waiting {
  readonly stop: Stop;
  change: Change | undefined;
  readonly go: (change: Change | undefined) => void;
}

/** A value with members, and where it is: the name of the value at the stop, and the path in it. */
interface Node {
  readonly value: Json;
  readonly path: readonly string[];
}

const thread = 1;
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
  #opening: Promise<DebuggedProject> | undefined;
  #launch: LaunchArguments | undefined;
  #configured: () => void = () => undefined;
  readonly #isConfigured = new Promise<void>((resolve) => {
    this.#configured = resolve;
  });
  #isStepping = false;
  #waiting: Waiting | undefined;
  #last: Promise<unknown> = Promise.resolve();

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
    };
    this.sendResponse(response);
  }

  protected override launchRequest(response: DebugProtocol.LaunchResponse, args: LaunchArguments = {}): void {
    this.#answer(response, async () => {
      const { agent, orchestration, stopBefore = [] } = args;
      if ((agent === undefined) === (orchestration === undefined))
        throw new Error('Say what to debug: "agent" or "orchestration", and not both.');
      const unknown = stopBefore.filter((name) => !Object.hasOwn(stopKinds, name));
      if (unknown.length > 0) throw new Error(`"stopBefore" has ${unknown.join(', ')}. There are: ${Object.keys(stopKinds).join(', ')}.`);
      this.#launch = args;
      this.#opening = this.#host.open(args.project);
      this.#opened = await this.#opening;
      const run = await prepareLaunch(this.#opened, args, this.#host.recordedCall, { gate: this.#gate, signal: this.#over.signal });
      this.sendEvent(new InitializedEvent());
      void this.#isConfigured.then(() => this.#follow(run));
    });
  }

  async #follow(run: () => AsyncIterable<AgentEvent>): Promise<void> {
    try {
      for await (const event of run()) {
        if (event.type === 'chunk') this.sendEvent(new OutputEvent(event.text, 'stdout'));
        if (!event.final) continue;
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
    this.sendEvent(new TerminatedEvent());
  }

  /** Parallel tasks wait one after another. */
  readonly #gate: Gate = (stop) => {
    const mine = this.#last.then(() => this.#stopAt(stop));
    this.#last = mine.catch(() => undefined);
    return mine;
  };

  #stopAt(stop: Stop): Promise<Change | undefined> | undefined {
    if (this.#launch?.noDebug) return undefined;
    const isBreakpoint = this.#breakpoints.isHitAt(stop);
    const isWanted = (this.#launch?.stopBefore ?? []).some((name) => stopKinds[name]?.includes(stop.at));
    if (this.#over.signal.aborted || !(isBreakpoint || isWanted || this.#isStepping)) return undefined;
    const reason = isBreakpoint ? 'breakpoint' : this.#isStepping ? 'step' : 'entry';
    this.#isStepping = false;
    return new Promise((resolve) => {
      const go = (change: Change | undefined) => {
        this.#waiting = undefined;
        this.#nodes.reset();
        resolve(change);
      };
      this.#waiting = { stop, change: undefined, go };
      this.sendEvent(new StoppedEvent(reason, thread));
    });
  }

  protected override setBreakPointsRequest(
    response: DebugProtocol.SetBreakpointsResponse,
    args: DebugProtocol.SetBreakpointsArguments,
  ): void {
    this.#answer(response, async () => {
      const opened = this.#opened ?? (await this.#opening);
      if (!opened) throw new Error('Breakpoints are set after "launch".');
      response.body = { breakpoints: await this.#breakpoints.set(opened, args.source.path ?? '', args.breakpoints ?? []) };
    });
  }

  protected override configurationDoneRequest(response: DebugProtocol.ConfigurationDoneResponse): void {
    this.#configured();
    this.sendResponse(response);
  }

  protected override threadsRequest(response: DebugProtocol.ThreadsResponse): void {
    response.body = { threads: [new Thread(thread, this.#launch?.orchestration ?? this.#launch?.agent ?? 'run')] };
    this.sendResponse(response);
  }

  protected override stackTraceRequest(response: DebugProtocol.StackTraceResponse): void {
    this.#answer(response, async () => {
      const opened = this.#opened;
      const stop = this.#waiting?.stop;
      if (!opened || !stop) throw new Error('The run is not stopped.');
      const frames = await framesAt(opened, this.#launch?.orchestration, stop);
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
      const waiting = this.#waiting;
      const node = this.#nodes.get(args.variablesReference);
      const values = this.#values();
      if (!waiting || !node || !values) throw new Error('The run is not stopped.');
      const { stop } = waiting;
      if (stop.locked !== undefined) throw new Error(stop.locked);
      const path = isScalar(node.value) ? node.path : [...node.path, args.name];
      const [root = '', ...inner] = path;
      const before = valueAtPath(values, path.join('.'));
      const change = changeTo(stop, root, withValue(values[root] ?? null, inner, readAs(before, args.value)));
      if (!change) throw new Error(`${root} cannot be changed here.`);
      const issues = await stop.check(change);
      if (issues.length > 0) throw new Error(issues.map(({ message }) => message).join(' '));
      waiting.change = { ...waiting.change, ...change };
      const { value, variablesReference } = this.#variable(args.name, readAs(before, args.value), path);
      response.body = { value, variablesReference };
    });
  }

  protected override continueRequest(response: DebugProtocol.ContinueResponse): void {
    this.#go(response, false);
  }

  protected override nextRequest(response: DebugProtocol.NextResponse): void {
    this.#go(response, true);
  }

  protected override stepInRequest(response: DebugProtocol.StepInResponse): void {
    this.#go(response, true);
  }

  protected override stepOutRequest(response: DebugProtocol.StepOutResponse): void {
    this.#go(response, true);
  }

  protected override pauseRequest(response: DebugProtocol.PauseResponse): void {
    this.#isStepping = true;
    this.sendResponse(response);
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
    this.#waiting?.go(undefined);
    this.#configured();
  }

  #go(response: DebugProtocol.Response, isStepping: boolean): void {
    this.#isStepping = isStepping;
    const waiting = this.#waiting;
    this.sendResponse(response);
    waiting?.go(waiting.change);
  }

  #values(): JsonObject | undefined {
    return this.#waiting && valuesAt(this.#waiting.stop, this.#waiting.change);
  }

  #variable(name: string, value: Json, path: readonly string[]): DebugProtocol.Variable {
    return { name, value: textOf(value), variablesReference: isScalar(value) ? 0 : this.#nodes.create({ value, path }) };
  }

  /** Sends the response when the work is done, or what went wrong. */
  #answer(response: DebugProtocol.Response, work: () => Promise<void>): void {
    work().then(
      () => this.sendResponse(response),
      (error: unknown) => this.sendErrorResponse(response, { id: 1, format: messageOf(error), showUser: true }),
    );
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
