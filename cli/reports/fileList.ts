import type { FileState } from '../../core/check/fileStates.js';
import { visibleText } from '../../core/visibleText.js';
import { plural } from '../../core/words.js';
import { cutLine } from '../terminal/fold.js';
import type { Styles } from '../terminal/styles.js';
import type { Terminal } from '../terminal/terminal.js';

/** A file of the project, or of another tool. */
export type FileRow = Omit<FileState, 'kind'>;

export interface FileGroup {
  readonly word: string;
  readonly files: readonly FileRow[];
}

/** `12 errors, 34 warnings` */
const stateWidth = 23;

/** The files of a project by kind, each with its state, and with its path where there is room; a line that counts them at the end. */
export function fileList(
  groups: readonly FileGroup[],
  { out, columns }: Pick<Terminal, 'out' | 'columns'>,
  pathOf: (file: string) => string,
): string {
  const files = groups.flatMap((group) => group.files);
  const longest = Math.max(...files.map(({ id }) => visibleText(id).length));
  const width = Math.min(longest, columns - stateWidth - 4);
  const paths = files.map(({ file }) => visibleText(pathOf(file)).length);
  const hasPaths = width + stateWidth + 6 + Math.max(...paths) <= columns;
  const rows = groups.flatMap(({ word, files }) => [
    out.bold(word),
    ...files.map((file) => {
      const words = stateWords(file);
      const path = hasPaths ? `${' '.repeat(stateWidth - words.length)}  ${out.dim(visibleText(pathOf(file.file)))}` : '';
      return `  ${cutLine(file.id, width).padEnd(width)}  ${colourOf(file, out)(words)}${path}`;
    }),
  ]);
  return [...rows, '', totals(files)].join('\n');
}

function stateWords({ state, errors, warnings }: FileRow): string {
  if (state === 'ok' || state === 'unused') return state;
  return [...(errors > 0 ? [plural(errors, 'error')] : []), ...(warnings > 0 ? [plural(warnings, 'warning')] : [])].join(', ');
}

function colourOf({ state }: FileRow, styles: Styles): (text: string) => string {
  return { ok: styles.green, errors: styles.red, warnings: styles.yellow, unused: styles.dim }[state];
}

function totals(files: readonly FileRow[]): string {
  const count = (state: FileState['state']) => files.filter((file) => file.state === state).length;
  const parts = [
    ...(count('errors') > 0 ? [`${count('errors')} with errors`] : []),
    ...(count('warnings') > 0 ? [`${count('warnings')} with warnings`] : []),
    ...(count('unused') > 0 ? [`${count('unused')} unused`] : []),
  ];
  return `${plural(files.length, 'file')}${parts.length === 0 ? ', all ok' : `: ${parts.join(', ')}`}.`;
}
