import { TextDocument } from 'vscode-languageserver-textdocument';

/** A text as an editor has it. */
export function documentOf(text: string, uri = 'file:///text.json', version = 1): TextDocument {
  return TextDocument.create(uri, 'json', version, text);
}
