import { getLanguageService } from 'vscode-json-languageservice';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { TolerantTree } from './document.js';

/** Reads a text that need not be JSON. Loads vscode-json-languageservice, so it is reached by `import()` only. */
export function parseTree({ uri, version, text }: { uri: string; version: number | null; text: string }): TolerantTree {
  const textDocument = TextDocument.create(uri, 'json', version ?? 0, text);
  return { textDocument, json: getLanguageService({}).parseJSONDocument(textDocument) };
}
