/** What of VS Code's API for language models the provider `vscode` uses, as VS Code 1.95 and later have it, with a model that answers what a test says. */

export class LanguageModelTextPart {
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
}

export class LanguageModelToolCallPart {
  readonly callId: string;
  readonly name: string;
  readonly input: object;
  constructor(callId: string, name: string, input: object) {
    this.callId = callId;
    this.name = name;
    this.input = input;
  }
}

export class LanguageModelToolResultPart {
  readonly callId: string;
  readonly content: readonly unknown[];
  constructor(callId: string, content: readonly unknown[]) {
    this.callId = callId;
    this.content = content;
  }
}

export class LanguageModelThinkingPart {
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
}

export class CancellationTokenSource {
  readonly token = { isCancellationRequested: false };
  isDisposed = false;
  cancel(): void {
    this.token.isCancellationRequested = true;
  }
  dispose(): void {
    this.isDisposed = true;
  }
}

/** VS Code turns a text into a list of one part. */
const message = (role: 'user' | 'assistant') => (content: string | readonly unknown[]) => ({
  role,
  content: typeof content === 'string' ? [new LanguageModelTextPart(content)] : content,
});
export const LanguageModelChatMessage = { User: message('user'), Assistant: message('assistant') };

export const l10n = { t: (text: string) => text };

export interface SentRequest {
  readonly messages: readonly { readonly role: string; readonly content: readonly object[] }[];
  readonly options: {
    readonly tools?: readonly { readonly name: string; readonly description: string; readonly inputSchema?: object }[];
    readonly modelOptions?: object;
  };
  readonly token: { readonly isCancellationRequested: boolean };
}

/** What the model does next, and what it was sent. */
export const scripted: { answer: (request: SentRequest) => AsyncIterable<unknown>; readonly requests: SentRequest[] } = {
  answer: () => {
    throw new Error('The test did not say what the model answers.');
  },
  requests: [],
};

const model = {
  id: 'scripted-1',
  name: 'Scripted',
  family: 'scripted',
  vendor: 'test',
  sendRequest: async (messages: SentRequest['messages'], options: SentRequest['options'], token: SentRequest['token']) => {
    const request = { messages, options, token };
    scripted.requests.push(request);
    const stream = scripted.answer(request);
    return { stream, text: textsOf(stream) };
  },
  countTokens: async (text: string) => text.split(/\s+/).filter(Boolean).length,
};

export const lm = { selectChatModels: async () => [model] };

async function* textsOf(stream: AsyncIterable<unknown>): AsyncGenerator<string, void, undefined> {
  for await (const part of stream) if (part instanceof LanguageModelTextPart) yield part.value;
}
