import * as vscode from 'vscode';
import { parseConfigObject } from '../../../core/config/parseConfigFile.js';
import { jsonTextOf } from '../../../core/jsonText/promptText.js';
import { withChangingLast } from '../../../core/prompt/stablePrefix.js';

/** The template of a prompt file, and the same with its changing parts last; undefined for a file without one. */
export async function readTemplate(
  file: vscode.Uri,
): Promise<{ readonly written: string; readonly moved: string | undefined } | undefined> {
  const document = await vscode.workspace.openTextDocument(file);
  const template = parseConfigObject(jsonTextOf(file.path, document.getText()).json)?.template;
  return typeof template === 'string' ? { written: template, moved: withChangingLast(template) } : undefined;
}
