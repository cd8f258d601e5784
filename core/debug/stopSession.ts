import type { DebugProtocol } from '@vscode/debugprotocol';
import type { RunError } from '../agent/events.js';
import type { JsonObject } from '../json.js';
import { fieldAt } from '../routing/fieldAt.js';
import { coverAll, coverText } from '../secrets/coverValue.js';
import { Breakpoints } from './breakpoints.js';
import { completionsAt } from './completions.js';
import { BreakpointEvent, DebugSession, InvalidatedEvent, OutputEvent, StoppedEvent, Thread, ThreadEvent } from './dapSdk.js';
import { evaluate } from './evaluate.js';
import { ExceptionBreakpoints, exceptionInfo } from './exceptions.js';
import { type DebuggedProject, type LaunchArguments, stopKinds } from './launch.js';
import { RunControl, type StopNotice } from './runControl.js';
import { changeTo } from './setValue.js';
import { framesAt } from './stackAt.js';
import type { StepKind } from './stepping.js';
import { frameAt, type Shown } from './stopFacts.js';
import { cutTo, shortText, type Target, Variables } from './variables.js';

/** Most characters of a text that a console shows at once. */
const longestResult = 20_000;

/** The requests about a run that is stopped: what it shows there, what is changed, and where it goes next. */
export abstract class StopSession extends DebugSession {
  protected opened: DebuggedProject | undefined;
  protected launch: LaunchArguments | undefined;
  /** With which an orchestration begins. */
  protected context: JsonObject | undefined;
  readonly #variables = new Variables();
  #lastShown: Shown | undefined;
  /** Whether the client reads values again when it is told to, and whether it has been told since it last did. */
  #refresh: 'never' | 'wanted' | 'told' = 'never';
  protected readonly breakpoints = new Breakpoints(
    (line) => this.sendEvent(new OutputEvent(`${this.cover(line)}\n`, 'console')),
    (breakpoint) => this.sendEvent(new BreakpointEvent('changed', breakpoint)),
  );
  /** The error with which the run as a whole has ended. */
  protected endError: RunError | undefined;
  protected readonly exceptions = new ExceptionBreakpoints();
  protected readonly control = new RunControl({
    isHit: (stop) => {
      if (stop.at === 'finding') return this.exceptions.isHitAt(stop) && 'exception';
      const breakpoint = this.breakpoints.hitAt(stop);
      if (breakpoint) return breakpoint;
      return (this.launch?.stopBefore ?? []).some((name) => stopKinds[name]?.includes(stop.at)) && 'entry';
    },
    stopped: (notice) => this.#stopped(notice),
    answerGrew: () => this.#refreshOnce(),
    threadChanged: (reason, thread) => this.sendEvent(new ThreadEvent(reason, thread)),
  });

  /** The client reads values again when they change. */
  protected refreshes(): void {
    this.#refresh = 'wanted';
  }

  #stopped({ reason, thread, words }: StopNotice): void {
    this.#reset();
    const event: DebugProtocol.StoppedEvent = new StoppedEvent(reason, thread);
    event.body = { reason, threadId: thread, description: words, text: words, allThreadsStopped: false };
    this.sendEvent(event);
    if (this.opened) void this.breakpoints.followFiles(this.opened);
  }

  /** A long answer comes in many pieces: the client is told again after it has looked. */
  #refreshOnce(): void {
    if (this.#refresh !== 'wanted') return;
    this.#refresh = 'told';
    this.sendEvent(new InvalidatedEvent(['variables']));
  }

  protected override threadsRequest(response: DebugProtocol.ThreadsResponse): void {
    const name = this.launch?.orchestration ?? this.launch?.agent ?? 'run';
    const threads = this.control.threads.list(name).map((thread) => new Thread(thread.id, thread.name));
    const { thread, stop } = this.control.view?.moment ?? {};
    // The task of a past moment may have ended.
    const isListed = thread === undefined || threads.some(({ id }) => id === thread);
    response.body = { threads: isListed ? threads : [...threads, new Thread(thread, `${stop?.team}/${stop?.task} (ended)`)] };
    this.sendResponse(response);
  }

  protected override stackTraceRequest(response: DebugProtocol.StackTraceResponse, { threadId }: DebugProtocol.StackTraceArguments): void {
    this.answer(response, async () => {
      const opened = this.opened;
      const { view } = this.control;
      if (!opened || !view) throw new Error('The run is not stopped.');
      if (threadId !== view.moment.thread) throw new Error('This thread is not stopped.');
      const frames = await framesAt(opened, this.launch?.orchestration, view);
      response.body = { stackFrames: frames, totalFrames: frames.length };
    });
  }

  protected override exceptionInfoRequest(response: DebugProtocol.ExceptionInfoResponse): void {
    this.answer(response, async () => {
      const { stop } = this.control.view?.moment ?? {};
      if (!stop) throw new Error('The run is not stopped.');
      response.body = coverAll(exceptionInfo(stop, this.endError), this.opened?.project.ports.knownSecrets);
    });
  }

  protected override scopesRequest(response: DebugProtocol.ScopesResponse): void {
    this.answer(response, async () => {
      if (this.#refresh === 'told') this.#refresh = 'wanted';
      response.body = { scopes: this.#variables.scopes(this.#shown.values) };
    });
  }

  protected override variablesRequest(response: DebugProtocol.VariablesResponse, args: DebugProtocol.VariablesArguments): void {
    this.answer(response, async () => {
      response.body = { variables: this.#variables.members(args) };
    });
  }

  protected override evaluateRequest(
    response: DebugProtocol.EvaluateResponse,
    { expression, context }: DebugProtocol.EvaluateArguments,
  ): void {
    this.answer(response, async () => {
      const { value, path } = await evaluate(String(expression), this.#shown);
      const { name: _, value: line, ...variable } = this.#variables.variable('', value, path);
      const isWhole = context === 'clipboard';
      const isShort = context === 'hover' || context === 'watch' || context === 'variables';
      const whole = isWhole && typeof value !== 'string' ? JSON.stringify(value, null, 2) : value;
      response.body = { ...variable, result: typeof whole !== 'string' || isShort ? line : isWhole ? whole : cutTo(whole, longestResult) };
    });
  }

  protected override completionsRequest(
    response: DebugProtocol.CompletionsResponse,
    { text, column, line }: DebugProtocol.CompletionsArguments,
  ): void {
    this.answer(response, async () => {
      const written = line === undefined ? text : (text.split('\n')[this.convertClientLineToDebugger(line) - 1] ?? '');
      const before = written.slice(0, this.convertClientColumnToDebugger(column) - 1);
      const targets = completionsAt(before, this.#shown.values);
      response.body = { targets: targets.map((each) => ({ ...each, start: this.convertDebuggerColumnToClient((each.start ?? 0) + 1) })) };
    });
  }

  protected override setVariableRequest(response: DebugProtocol.SetVariableResponse, args: DebugProtocol.SetVariableArguments): void {
    this.answer(response, async () => {
      const target = this.#variables.target(args);
      if (this.#shown.view.locked === undefined && !target) throw new Error(`${args.name} cannot be changed here.`);
      response.body = await this.#set(target ?? { path: [] }, args.value);
    });
  }

  protected override setExpressionRequest(
    response: DebugProtocol.SetExpressionResponse,
    { expression, value }: DebugProtocol.SetExpressionArguments,
  ): void {
    this.answer(response, async () => {
      const { path } = await evaluate(expression, this.#shown);
      response.body = await this.#set({ path }, value);
    });
  }

  async #set({ path, line }: Target, typed: string): Promise<DebugProtocol.SetVariableResponse['body']> {
    const { view, raw, values } = this.#shown;
    if (view.locked !== undefined) throw new Error(view.locked);
    const { stop } = view.moment;
    const change = changeTo(stop, { path, ...(line !== undefined && { line }) }, typed, raw, values);
    const issues = await stop.check(change);
    if (issues.length > 0) throw new Error(issues.map(({ message }) => message).join(' '));
    this.control.change(change);
    this.#lastShown = undefined;
    if (line !== undefined) return { value: shortText(typed) };
    return this.#variables.variable('', fieldAt(this.#shown.values, path) ?? null, path);
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
    this.control.pause(threadId);
  }

  #go(response: DebugProtocol.Response, kind: StepKind | undefined): void {
    this.#reset();
    this.sendResponse(response);
    this.control.go(kind);
  }

  #back(response: DebugProtocol.Response, to: 'previous' | 'hit'): void {
    let index: number;
    try {
      index = this.control.previous(to);
    } catch (error) {
      this.refuse(response, error);
      return;
    }
    this.sendResponse(response);
    this.control.lookAt(index, to === 'hit' ? 'breakpoint' : 'step');
  }

  /** @throws Error if the run is not stopped */
  get #shown(): Shown {
    const { view } = this.control;
    const last = this.#lastShown;
    if (!view) throw new Error('The run is not stopped.');
    // In the middle of a call the answer grows.
    if (last && last.view.index === view.index && view.answer === undefined) return last;
    const { agent, orchestration, case: name, llm, recording, run } = this.launch ?? {};
    const session = {
      launch: JSON.parse(JSON.stringify({ agent, orchestration, case: name, llm, recording, replay_of: run })) as JsonObject,
      context: this.context,
      earlier: () => this.control.before(view.index),
      events: this.control.events,
    };
    this.#lastShown = frameAt(view, session, this.opened?.project.ports.knownSecrets);
    return this.#lastShown;
  }

  #reset(): void {
    if (this.#refresh === 'told') this.#refresh = 'wanted';
    this.#variables.reset();
    this.#lastShown = undefined;
  }

  /** Sends the response when the work is done, or what went wrong. */
  protected answer(response: DebugProtocol.Response, work: () => Promise<void>): void {
    work().then(
      () => this.sendResponse(response),
      (error: unknown) => this.refuse(response, error),
    );
  }

  protected refuse(response: DebugProtocol.Response, error: unknown): void {
    // Without variables, a `{_name}` in the text would throw.
    this.sendErrorResponse(response, { id: 1, format: this.cover(messageOf(error)), variables: {}, showUser: true });
  }

  /** A text without secrets. */
  protected cover(text: string): string {
    return coverText(text, this.opened?.project.ports.knownSecrets);
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
