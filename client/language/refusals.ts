import * as vscode from 'vscode';

/** LSP's code for a request that the server refuses, with the reason and the way out in its message (RequestFailed). */
const refused = -32803;

/** The result, or undefined where the server refuses, which is told in its words. Left to the library, it would read as a failure with a number. */
export async function tellRefusal<T>(request: PromiseLike<T> | T): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === refused)) throw error;
    void vscode.window.showWarningMessage(error.message);
    return undefined;
  }
}
