// What the page of evals and its host say to each other. Plain data, read on both sides.
import type { PageAction, PageElement } from '../../../core/eval/report/page/pageElement.js';

export interface HostMessage {
  readonly type: 'show';
  /** Absolute path of the project; with `eval_id` what VS Code keeps to bring the panel back. */
  readonly root: string;
  readonly eval_id: string;
  readonly page: PageElement;
  /** Other evals of the project, the newest first, as they are chosen from. */
  readonly evals: readonly { readonly id: string; readonly label: string }[];
}

export type PageMessage =
  | { readonly type: 'ready' }
  /** Compare the cases of the project with its baselines. */
  | { readonly type: 'compare' }
  /** Show another eval. */
  | { readonly type: 'choose'; readonly id: string }
  | { readonly type: 'act'; readonly action: PageAction };

export function isPageMessage(value: unknown): value is PageMessage {
  if (!isRecord(value)) return false;
  if (value.type === 'choose') return typeof value.id === 'string';
  if (value.type === 'act') return isAction(value.action);
  return value.type === 'ready' || value.type === 'compare';
}

export function isHostMessage(value: unknown): value is HostMessage {
  return isRecord(value) && value.type === 'show' && isRecord(value.page) && Array.isArray(value.evals);
}

function isAction(value: unknown): value is PageAction {
  if (!isRecord(value)) return false;
  if (value.type === 'place') return typeof value.file === 'string' && typeof value.pointer === 'string';
  if (value.type === 'run') return [value.suite, value.case, value.repeat].every((number) => Number.isSafeInteger(number));
  return value.type === 'all';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
