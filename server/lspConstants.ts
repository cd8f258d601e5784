import type {
  CodeActionKind,
  CompletionItemKind,
  DiagnosticSeverity,
  DiagnosticTag,
  DocumentHighlightKind,
  InsertTextFormat,
  MessageType,
  SymbolKind,
} from 'vscode-languageserver';

// The protocol's numbers by name. The library's own tables are part of a package that takes longer to load than this server to start.

export const completionItemKinds = {
  text: 1,
  method: 2,
  function: 3,
  field: 5,
  variable: 6,
  class: 7,
  interface: 8,
  module: 9,
  property: 10,
  unit: 11,
  value: 12,
  enum: 13,
  keyword: 14,
  snippet: 15,
  file: 17,
  reference: 18,
  folder: 19,
  enumMember: 20,
  constant: 21,
  struct: 22,
  event: 23,
  operator: 24,
} as const satisfies Record<string, CompletionItemKind>;

export const insertTextFormats = { plainText: 1, snippet: 2 } as const satisfies Record<string, InsertTextFormat>;

export const symbolKinds = {
  file: 1,
  module: 2,
  namespace: 3,
  class: 5,
  method: 6,
  property: 7,
  field: 8,
  enum: 10,
  interface: 11,
  function: 12,
  variable: 13,
  constant: 14,
  string: 15,
  number: 16,
  boolean: 17,
  array: 18,
  object: 19,
  key: 20,
  null: 21,
  enumMember: 22,
  event: 24,
} as const satisfies Record<string, SymbolKind>;

export const diagnosticSeverities = { error: 1, warning: 2, info: 3, hint: 4 } as const satisfies Record<string, DiagnosticSeverity>;

export const diagnosticTags = { unnecessary: 1, deprecated: 2 } as const satisfies Record<string, DiagnosticTag>;

export const documentHighlightKinds = { text: 1, read: 2, write: 3 } as const satisfies Record<string, DocumentHighlightKind>;

export const codeActionKinds = {
  quickFix: 'quickfix',
  refactor: 'refactor',
  refactorExtract: 'refactor.extract',
  refactorInline: 'refactor.inline',
  refactorMove: 'refactor.move',
  refactorRewrite: 'refactor.rewrite',
  sourceFixAll: 'source.fixAll',
} as const satisfies Record<string, CodeActionKind>;

export const messageTypes = { error: 1, warn: 2, info: 3, debug: 5 } as const satisfies Record<string, MessageType>;

/** JSON-RPC and LSP error codes. */
export const errorCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  serverNotInitialized: -32002,
  requestFailed: -32803,
  serverCancelled: -32802,
  contentModified: -32801,
  requestCancelled: -32800,
} as const;
