import * as vscode from 'vscode';
import { fromMarkdown, type MarkdownFault, toMarkdown } from '../../../core/markdown/wholeFile.js';
import { NoSourceText, openSource } from './sourceText.js';
import type { TextPlace } from './textUri.js';

/** A whole JSON file as the Markdown that it is shown as. */
export interface WholeFile {
  readonly document: vscode.TextDocument;
  readonly text: string;
}

/** @throws NoSourceText for a file that is missing, not a JSON object, or that Markdown would not reproduce */
export async function findWholeFile({ file }: TextPlace): Promise<WholeFile> {
  const document = await openSource(file);
  const text = await toMarkdown(document.getText());
  if (text === undefined)
    throw new NoSourceText(
      vscode.l10n.t(
        '{0} cannot be shown as Markdown: it is not a JSON object. Correct the JSON file first.',
        vscode.workspace.asRelativePath(file),
      ),
    );
  return { document, text };
}

/** What to replace in the JSON file. @throws NoSourceText where the Markdown makes no file, with the line and what to do */
export async function changesOfWhole(document: vscode.TextDocument, markdown: string) {
  const convertedText = await fromMarkdown(markdown, document.getText());
  if (convertedText.type === 'edits') return convertedText.edits;
  const { fault } = convertedText;
  throw new NoSourceText(vscode.l10n.t('Line {0}: {1}', fault.line + 1, wordsOf(fault)));
}

/** What is wrong, and how to fix it. */
export function wordsOf(fault: MarkdownFault): string {
  const { t } = vscode.l10n;
  switch (fault.type) {
    case 'json':
      return t('The JSON file is not valid now, so nothing can be written into it. Correct it, or undo there.');
    case 'noFrontMatter':
      return t('The settings are gone: the text must begin with a line ---, the settings as YAML, and another line ---.');
    case 'yaml':
      return t('The settings are not valid YAML: {0}', fault.detail);
    case 'notJson':
      return fault.detail === ''
        ? t('The settings must be names with values, such as "version: v1".')
        : t('The value at {0} cannot be written as JSON. Write another one.', fault.detail);
    case 'noSection':
      return t(
        'The settings refer to the section "# {0}", and there is none. Bring it back, or write the text here in place of its name.',
        fault.name,
      );
    case 'repeatedSection':
      return t('There are two sections "# {0}". Remove one; for a heading within a text, write "\\# {0}".', fault.name);
    case 'unnamedSection':
      return t(
        'The settings do not refer to the section "# {0}". Add it there in quotes, or remove the section; for a heading within a text, write "\\# {0}".',
        fault.name,
      );
    case 'strayText':
      return t('This text is above all sections. Move it below the heading of one.');
  }
}
