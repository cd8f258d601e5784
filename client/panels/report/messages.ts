// What panels with a report (of an eval, of a comparison) and their page send each other. Imported by both sides.
import type { PageAction, PageElement } from '../../../core/eval/report/page/pageElement.js';
import { isObject } from '../../../core/json.js';
import { isString, type MessageOf } from '../messages.js';

export interface ToPage {
  readonly type: 'show';
  /** What VS Code stores to restore the panel. It contains nothing of the report. */
  readonly state: object;
  readonly page: PageElement;
  /** The text of the button that compares, or moves to another model. Default: none. */
  readonly compare?: string;
  /** Other reports to show, the newest first, and which one is shown. */
  readonly choice?: {
    readonly label: string;
    readonly items: readonly { readonly id: string; readonly label: string }[];
    readonly chosen: string;
  };
}

export const fromPage = {
  compare: {},
  /** Show another report. */
  choose: { id: isString },
  act: { action: isAction },
};
export type FromPage = MessageOf<typeof fromPage>;

function isAction(value: unknown): value is PageAction {
  if (!isObject(value)) return false;
  if (value.type === 'place') return isString(value.file) && isString(value.pointer);
  if (value.type === 'run') return [value.suite, value.case, value.repeat].every((number) => Number.isSafeInteger(number));
  if (value.type === 'migrate') return ['apply', 'changes', 'unknown'].some((step) => step === value.step);
  return value.type === 'all';
}
