// What pages with texts of models and their panels send each other about links. Imported by both sides.
import { isCount, isString, type MessageOf } from './messages.js';

/** Names of files that a page may ask about at once. */
export const mostFileNames = 500;

export const linksFromPage = {
  /** An address that the model wrote. */
  openLink: { address: isString },
  /** Which of these names that the model wrote are files. */
  findFiles: { names: areNames },
  /** A file at a line and a column, from 1; 0 for none. */
  openFile: { name: isString, line: isCount, column: isCount },
};
export type LinksFromPage = MessageOf<typeof linksFromPage>;

/** The answer to `findFiles`: those of the names that are files. */
export interface FilesToPage {
  readonly type: 'files';
  readonly names: readonly string[];
  readonly files: readonly string[];
}

function areNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length <= mostFileNames && value.every(isString);
}
