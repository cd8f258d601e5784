/**
 * Why a request to a server has no answer. `closed`: the connection is gone. `timeout`: it took too long. `refused`: the server answered with
 * an error, or with something that is none of ours.
 */
export class McpFailure extends Error {
  override readonly name = 'McpFailure';
  readonly reason: 'closed' | 'timeout' | 'refused';

  constructor(reason: McpFailure['reason'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}
