import type { OpenProject } from '../../cli.js';
import type { Styles } from '../../terminal/styles.js';

export interface ReportContext {
  readonly project: Pick<OpenProject, 'shownPath' | 'repositoryPath' | 'textOf'>;
  readonly styles: Styles;
  /** As help texts spell the command. */
  readonly name: string;
}
