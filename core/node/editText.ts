import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileProblem } from '../ports.js';

/**
 * Lets the user change a text in their own editor, in a temporary file that nobody else can read.
 *
 * @param command as the user has it in `VISUAL` or `EDITOR`: a program and its arguments
 * @returns the text after the editor has ended
 * @throws FileProblem if the editor cannot be started or fails
 */
export function editText(text: string, name: string, command: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'agent-stack-edit-'));
  const file = join(folder, name);
  try {
    writeFileSync(file, text, { mode: 0o600 });
    const quoted = process.platform === 'win32' ? `"${file}"` : `'${file.replaceAll("'", "'\\''")}'`;
    // As git does: what the user has set is a line for a shell.
    const { status, error } = spawnSync(`${command} ${quoted}`, { stdio: 'inherit', shell: true });
    if (error || status !== 0)
      throw new FileProblem('io', name, `The editor \`${command}\` ended with ${error?.message ?? `code ${status}`}.`);
    return readFileSync(file, 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
