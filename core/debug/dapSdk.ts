/** What is used of the SDK of the Debug Adapter Protocol. It is loaded when a debugger starts. */
export {
  BreakpointEvent,
  DebugSession,
  Handles,
  InitializedEvent,
  InvalidatedEvent,
  OutputEvent,
  Scope,
  Source,
  StackFrame,
  StoppedEvent,
  TerminatedEvent,
  Thread,
  ThreadEvent,
} from '@vscode/debugadapter';
