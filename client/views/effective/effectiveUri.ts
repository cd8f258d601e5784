import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';

/** Scheme of effective configs as documents. */
export const effectiveScheme = 'agent-stack-effective';

/** The subject of an effective config: a current file, or a run. */
export type EffectiveSubject =
  /** Of an agent or orchestration. Without `environment`, that of the project or of the setting, whichever it is at the moment. */
  | { readonly file: vscode.Uri; readonly environment?: string | undefined }
  /** A run in a project folder. */
  | { readonly root: string; readonly run_id: string };

/** `/A2@v1 dev.effective.jsonc`; the query holds everything that is needed to compose it again after a restart. */
export function effectiveUri(subject: EffectiveSubject): vscode.Uri {
  const query =
    'file' in subject
      ? { file: subject.file.toString(), ...(subject.environment !== undefined && { environment: subject.environment }) }
      : subject;
  const name = 'file' in subject ? [nameOf(subject.file), subject.environment ?? []].flat().join(' ') : subject.run_id;
  return vscode.Uri.from({ scheme: effectiveScheme, path: `/${name}.effective.jsonc`, query: JSON.stringify(query) });
}

/** Undefined for an address that is not ours. */
export function effectiveSubject({ scheme, query }: vscode.Uri): EffectiveSubject | undefined {
  if (scheme !== effectiveScheme) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(query);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  const textAt = (name: string): string | undefined => {
    const member = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
    return typeof member === 'string' ? member : undefined;
  };
  const [file, root, run_id] = ['file', 'root', 'run_id'].map(textAt);
  if (file !== undefined) return { file: vscode.Uri.parse(file), environment: textAt('environment') };
  return root !== undefined && run_id !== undefined ? { root, run_id } : undefined;
}

/** `A2@v1` for an agent file, `article` for any other. */
export function nameOf({ path }: vscode.Uri): string {
  const file = basename(path, '.json');
  return basename(dirname(dirname(path))) === 'agents' ? `${basename(dirname(path))}@${file}` : file;
}
