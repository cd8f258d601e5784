import type { FeatureContext, Progress } from '../feature.js';

export interface RequestProgress {
  readonly progress: Progress;
  readonly sendPart: FeatureContext['sendPart'];
  /** Closes what has been opened. */
  readonly end: () => void;
}

interface Wire {
  readonly notify: (method: string, params: unknown) => void;
}

/** Work-done progress and partial results, as far as the request has tokens for them; undefined when it has none. */
export function createProgress(params: unknown, { notify }: Wire): RequestProgress | undefined {
  const { workDoneToken, partialResultToken } = (params ?? {}) as { workDoneToken?: unknown; partialResultToken?: unknown };
  if (workDoneToken === undefined && partialResultToken === undefined) return undefined;
  const send = (token: unknown, value: unknown) => notify('$/progress', { token, value });
  let isOpen = false;
  return {
    progress: {
      report(message, percentage) {
        if (workDoneToken === undefined) return;
        const kind = isOpen ? 'report' : 'begin';
        const text = isOpen ? { message } : { title: 'Agent Stack', message };
        isOpen = true;
        send(workDoneToken, { kind, ...text, ...(percentage !== undefined && { percentage }) });
      },
    },
    sendPart: partialResultToken === undefined ? undefined : (part) => send(partialResultToken, part),
    end() {
      if (isOpen) send(workDoneToken, { kind: 'end' });
    },
  };
}
