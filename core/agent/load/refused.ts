import { AgentStackError } from '../../errors.js';

/** An agent or orchestration that cannot run, and why. */
export class Refused {
  readonly name: string;
  /** Null for an orchestration, and for an agent without versions. */
  readonly version: string | null;
  readonly error: AgentStackError;

  constructor(name: string, version: string | null, error: AgentStackError) {
    this.name = name;
    this.version = version;
    this.error = error;
  }
}

/** The result of `work`, or the refusal for an error that a user can fix. */
export async function orRefused<Value>(name: string, version: string | null, work: () => Promise<Value>): Promise<Value | Refused> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AgentStackError)) throw error;
    return new Refused(name, version, error);
  }
}

/** @throws the error of a refusal */
export function unlessRefused<Value extends object>(loaded: Value | Refused): Exclude<Value, Refused> {
  if (loaded instanceof Refused) throw loaded.error;
  return loaded as Exclude<Value, Refused>;
}
