import { statSync } from 'node:fs';
import { win32 } from 'node:path';

export interface WindowsProgram {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are quoted already. */
  readonly verbatim?: boolean;
}

/**
 * How Windows starts a command as other systems do: looked up in PATH with the extensions of PATHEXT; and a batch file (npx, uvx and the like
 * are such) by the command interpreter, since Node does not start one itself, with every argument quoted so that it arrives as written.
 *
 * @param isFile for tests
 */
export function windowsProgram(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string,
  isFile: (path: string) => boolean = isFileOnDisk,
): WindowsProgram {
  const file = findProgram(command, env, cwd, isFile);
  if (file === undefined) return { file: command, args };
  if (!/\.(?:cmd|bat)$/i.test(file)) return { file, args };
  const line = [escapeMeta(`"${file}"`), ...args.map(quoteForBatch)].join(' ');
  return { file: variable(env, 'COMSPEC') ?? 'cmd.exe', args: ['/d', '/s', '/c', `"${line}"`], verbatim: true };
}

function findProgram(
  command: string,
  env: Readonly<Record<string, string>>,
  cwd: string,
  isFile: (path: string) => boolean,
): string | undefined {
  const hasFolder = /[\\/]/.test(command);
  const folders = hasFolder ? [cwd] : (variable(env, 'PATH') ?? '').split(';').filter((folder) => folder !== '');
  const endings = (variable(env, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';').filter((ending) => ending !== '');
  // A file without an ending in PATH is a script for another system.
  const names =
    win32.extname(command) === '' ? endings.map((ending) => command + ending) : [command, ...endings.map((end) => command + end)];
  for (const folder of folders) {
    for (const name of names) {
      const path = win32.resolve(folder.replace(/^"|"$/g, ''), name);
      if (isFile(path)) return path;
    }
  }
  return undefined;
}

/** Names of variables are case-insensitive there. */
function variable(env: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];
}

/**
 * Quoted as the C runtime reads it (backslashes count only before a quote), then every character the interpreter would act on escaped; twice,
 * since a batch file passes its arguments through the interpreter once more.
 */
function quoteForBatch(argument: string): string {
  const quoted = `"${argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, '$1$1')}"`;
  return escapeMeta(escapeMeta(quoted));
}

function escapeMeta(text: string): string {
  return text.replace(/[()\][%!^"`<>&|;, *?]/g, '^$&');
}

function isFileOnDisk(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}
