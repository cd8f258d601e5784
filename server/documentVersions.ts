import type { TextDocumentsConfiguration } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';

/** Every version of an open document is an object of its own, so a request under way keeps the text it is about. */
export const documentVersions: TextDocumentsConfiguration<TextDocument> = {
  create: TextDocument.create,
  update(document, changes, version) {
    const { uri, languageId } = document;
    return TextDocument.update(TextDocument.create(uri, languageId, version, document.getText()), changes, version);
  },
};
