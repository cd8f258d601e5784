import type { DebugProtocol } from '@vscode/debugprotocol';
import type { AgentEvent, RunResult } from '../agent/events.js';
import { CancelledError } from '../errors.js';
import { errorLine } from '../errorTitles.js';
import { InitializedEvent, OutputEvent, TerminatedEvent } from './dapSdk.js';
import { exceptionFilters } from './exceptions.js';
import { checkTypes, type DebugHost, type LaunchArguments, type PreparedLaunch, prepareLaunch, stopKinds } from './launch.js';
import { messageOf, StopSession } from './stopSession.js';

/**
 * A debugger of runs over the Debug Adapter Protocol. It gives the run a gate, and shows what waits there; the run itself is that of every face.
 */
export class AgentDebugSession extends StopSession {
  readonly #host: DebugHost;
  readonly #over = new AbortController();
  #launching: Promise<PreparedLaunch> | undefined;
  #configured: () => void = () => undefined;
  readonly #isConfigured = new Promise<void>((resolve) => {
    this.#configured = resolve;
  });

  constructor(host: DebugHost) {
    super();
    this.#host = host;
    this.setDebuggerLinesStartAt1(true);
    this.setDebuggerColumnsStartAt1(true);
  }

  protected override initializeRequest(response: DebugProtocol.InitializeResponse, args: DebugProtocol.InitializeRequestArguments): void {
    if (args.supportsInvalidatedEvent) this.refreshes();
    response.body = {
      supportsConfigurationDoneRequest: true,
      supportsEvaluateForHovers: true,
      supportsSetVariable: true,
      supportsConditionalBreakpoints: true,
      supportsHitConditionalBreakpoints: true,
      supportsLogPoints: true,
      exceptionBreakpointFilters: exceptionFilters,
      supportsExceptionFilterOptions: true,
      supportsExceptionInfoRequest: true,
      supportsTerminateRequest: true,
      supportsStepBack: true,
      supportsSetExpression: true,
      supportsClipboardContext: true,
      supportsCompletionsRequest: true,
      completionTriggerCharacters: ['.', '{', '"'],
    };
    this.sendResponse(response);
  }

  protected override launchRequest(response: DebugProtocol.LaunchResponse, args: LaunchArguments = {}): void {
    this.answer(response, async () => {
      checkTypes(args);
      const { stopBefore = [] } = args;
      const unknown = stopBefore.filter((name) => !Object.hasOwn(stopKinds, name));
      if (unknown.length > 0) throw new Error(`"stopBefore" has ${unknown.join(', ')}. There are: ${Object.keys(stopKinds).join(', ')}.`);
      if (this.#launching) throw new Error('A run has been launched already. Start another session for another run.');
      this.#launching = this.#prepare(args);
      this.#launching.catch(() => (this.#launching = undefined));
      const { begin } = await this.#launching;
      this.sendEvent(new InitializedEvent());
      void this.#isConfigured.then(() => this.#follow(begin));
    });
  }

  async #prepare(args: LaunchArguments): Promise<PreparedLaunch> {
    this.opened = await this.#host.open(args.project, args.allowTools);
    const prepared = await prepareLaunch(this.opened, args, this.#host.recordedCall, {
      gate: (stop) => (args.noDebug ? undefined : this.control.gate(stop)),
      signal: this.#over.signal,
    });
    this.launch = prepared.launch;
    this.context = prepared.context;
    return prepared;
  }

  async #follow(run: () => AsyncIterable<AgentEvent>): Promise<void> {
    try {
      for await (const event of this.#over.signal.aborted ? [] : run()) {
        if (!this.launch?.noDebug) this.control.follow(event);
        if (event.type === 'chunk') this.sendEvent(new OutputEvent(event.text, 'stdout'));
        if (!event.final) continue;
        if (!this.launch?.noDebug) await this.#stopAtEnd(event.result);
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
    this.control.end();
    this.sendEvent(new TerminatedEvent());
  }

  /** Stops at what only the whole run shows: an error of the orchestration itself, and expectations that are not met. */
  async #stopAtEnd(result: RunResult): Promise<void> {
    const { error } = result;
    if (error && error.code !== 'cancelled' && this.launch?.orchestration !== undefined && this.exceptions.wants('error')) {
      this.endError = error;
      await this.control.stopAtEnd(errorLine(error), 'exception');
    }
    const unmet = await this.breakpoints.unmetBy(result);
    if (unmet.length > 0) await this.control.stopAtEnd(unmet.join('\n'), 'breakpoint');
  }

  protected override setBreakPointsRequest(
    response: DebugProtocol.SetBreakpointsResponse,
    args: DebugProtocol.SetBreakpointsArguments,
  ): void {
    this.answer(response, async () => {
      // Some clients send them before the answer to "launch".
      const { launch } = (await this.#launching) ?? {};
      const opened = this.opened;
      if (!opened || !launch) throw new Error('Breakpoints are set after "launch".');
      response.body = {
        breakpoints: await this.breakpoints.set(opened, launch, args.source.path ?? '', args.breakpoints ?? []),
      };
    });
  }

  protected override setExceptionBreakPointsRequest(
    response: DebugProtocol.SetExceptionBreakpointsResponse,
    args: DebugProtocol.SetExceptionBreakpointsArguments,
  ): void {
    this.answer(response, async () => {
      response.body = { breakpoints: await this.exceptions.set(args) };
    });
  }

  protected override configurationDoneRequest(response: DebugProtocol.ConfigurationDoneResponse): void {
    this.#configured();
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
    this.control.end();
    this.#configured();
  }
}
