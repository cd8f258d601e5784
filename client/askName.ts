import * as vscode from 'vscode';
import { isLegalName } from '../core/kinds.js';
import { Refusal } from './refusal.js';

export interface NameQuestion {
  readonly title: string;
  readonly prompt: string;
  readonly value?: string;
  readonly placeHolder?: string;
  /** The message that names what already has this name; undefined when the name is free. */
  readonly taken: (name: string) => string | undefined;
}

/**
 * Asks for the name of a new config file, and says while typing why a name is refused.
 *
 * @param initialName passed by a program, which answers the question
 * @returns undefined when the user cancelled
 * @throws Refusal for a given name that is not legal, or taken
 */
export async function askName({ taken, ...box }: NameQuestion, initialName?: string): Promise<string | undefined> {
  const validateInput = (name: string) => (isLegalName(name) ? taken(name) : illegalName());
  if (initialName === undefined) return vscode.window.showInputBox({ ...box, validateInput });
  const fault = validateInput(initialName);
  if (fault !== undefined) throw new Refusal(fault);
  return initialName;
}

function illegalName(): string {
  return vscode.l10n.t(
    'Letters, digits, ".", "_" and "-", beginning with a letter or digit, at most 64; not the name of a Windows device.',
  );
}
