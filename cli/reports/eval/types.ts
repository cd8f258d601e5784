import type { OpenProject } from '../../cli.js';
import type { Styles } from '../../terminal/styles.js';

export interface ReportContext {
  readonly project: Pick<OpenProject, 'shownPath' | 'repositoryPath' | 'textOf'>;
  readonly styles: Styles;
  /** Whether a text lists every case, however many passed. */
  readonly isVerbose?: boolean | undefined;
  /** As help texts spell the command. */
  readonly name: string;
}
