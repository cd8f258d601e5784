import type { RunNode } from '../../panels/run/types.js';

export interface GroupNode {
  readonly type: 'group';
  readonly key: string;
  readonly label: string;
  readonly runs: readonly RunNode[];
}

export interface MoreNode {
  readonly type: 'more';
  readonly hidden: number;
}

export type RunsNode = RunNode | GroupNode | MoreNode;
