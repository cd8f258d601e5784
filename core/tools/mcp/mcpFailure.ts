/**
 * Why a request to a server has no answer. `closed`: the connection is gone. `forgotten`: so is the session, which the server no longer knows,
 * and the request was not carried out. `timeout`: it took too long. `refused`: the server answered with an error, or with something that is none of
 * ours.
 */
export class McpFailure extends Error {
  override readonly name = 'McpFailure';
  readonly reason: 'closed' | 'forgotten' | 'timeout' | 'refused';

  constructor(reason: McpFailure['reason'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}
