import { type Connection, type ProgressToken, ProgressType, type WorkDoneProgressReporter } from 'vscode-languageserver';
import type { FeatureContext } from './feature.js';

export interface RequestProgress extends Pick<FeatureContext, 'progress' | 'sendPart'> {
  /** To be called when the request has been answered. */
  readonly done: () => void;
}

const partialResult = new ProgressType<unknown>();

/** Work-done progress and partial results, as far as a request has tokens for them. */
export function createProgress(connection: Connection, params: unknown): RequestProgress {
  const { workDoneToken, partialResultToken } = (params ?? {}) as { workDoneToken?: ProgressToken; partialResultToken?: ProgressToken };
  let reporter: WorkDoneProgressReporter | undefined;
  return {
    progress: {
      report(message, percentage) {
        if (reporter === undefined) {
          reporter = connection.window.attachWorkDoneProgress(workDoneToken);
          reporter.begin('Agent Stack', percentage, message);
        } else if (percentage === undefined) reporter.report(message);
        else reporter.report(percentage, message);
      },
    },
    sendPart:
      partialResultToken === undefined ? undefined : (part) => void connection.sendProgress(partialResult, partialResultToken, part),
    done: () => reporter?.done(),
  };
}
