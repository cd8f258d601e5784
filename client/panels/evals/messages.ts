// What the panel of evals and its page send each other. Imported by both sides.
import type { PageAction, PageElement } from '../../../core/eval/report/page/pageElement.js';
import { isObject } from '../../../core/json.js';
import { isString, type MessageOf } from '../messages.js';

export interface ToPage {
  readonly type: 'show';
  readonly state: PanelState;
  readonly page: PageElement;
  /** Evals of the project to choose from, the newest first. */
  readonly evals: readonly { readonly id: string; readonly label: string }[];
}

/** What VS Code stores to restore the panel. It contains nothing of the report. */
export interface PanelState {
  /** Absolute path of the project. */
  readonly root: string;
  readonly eval_id: string;
}

export const fromPage = {
  /** Compare the cases of the project with its baselines. */
  compare: {},
  /** Show another eval. */
  choose: { id: isString },
  act: { action: isAction },
};
export type FromPage = MessageOf<typeof fromPage>;

function isAction(value: unknown): value is PageAction {
  if (!isObject(value)) return false;
  if (value.type === 'place') return isString(value.file) && isString(value.pointer);
  if (value.type === 'run') return [value.suite, value.case, value.repeat].every((number) => Number.isSafeInteger(number));
  return value.type === 'all';
}
