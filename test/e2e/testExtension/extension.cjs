// Beside the packaged extension under test, in the same host: what only another extension can offer.
const vscode = require('vscode');

/** Language models that answer what a test says, and remember what they were asked. */
const models = {
  /** What the next request is answered with: texts as they stream, or a function of (messages, token, report) that may throw. */
  answer: ['{}'],
  requests: [],
};

exports.activate = ({ subscriptions }) => {
  const facts = { version: '1', maxInputTokens: 8_000, maxOutputTokens: 1_000, capabilities: {} };
  const provider = {
    provideLanguageModelChatInformation: async () => [
      { id: 'scripted-1', name: 'Scripted One', family: 'scripted', isUserSelectable: true, ...facts },
      { id: 'scripted-2', name: 'Scripted Two', family: 'other', isUserSelectable: true, ...facts },
    ],
    provideLanguageModelChatResponse: async (model, messages, options, progress, token) => {
      const isUser = (role) => role === vscode.LanguageModelChatMessageRole.User;
      const textOf = ({ content }) => content.map((part) => part.value ?? '').join('');
      models.requests.push({
        model: model.id,
        messages: messages.map((message) => ({ role: isUser(message.role) ? 'user' : 'assistant', content: textOf(message) })),
        options: options.modelOptions,
      });
      const report = (text) => progress.report(new vscode.LanguageModelTextPart(text));
      if (typeof models.answer === 'function') await models.answer(messages, token, report);
      else for (const text of models.answer) report(text);
    },
    /** One token a word. */
    provideTokenCount: async (_model, text) => (typeof text === 'string' ? text : '').split(/\s+/).filter(Boolean).length,
  };
  subscriptions.push(vscode.lm.registerLanguageModelChatProvider('agent-stack-test', provider));
  return { vscode, models };
};
