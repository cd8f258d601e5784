import type { ViewFacts } from './messages.js';

type Unknown = Omit<ViewFacts, 'agent' | 'version' | 'project' | 'root' | 'status'>;

const unknown: Unknown = {
  kind: 'agent',
  run_id: null,
  started: null,
  duration_ms: null,
  provider: null,
  model: null,
  profile: null,
  payload: null,
  simulated: false,
  tokens: null,
  cost: null,
  iterations: null,
  retries: 0,
  repairs: 0,
  tools: [],
  left_out: [],
  unpriced: [],
  dropped: null,
  snapshot: null,
  error: null,
  fields: [],
  answer: null,
  smoothness: null,
  quality: null,
  sources: [],
  input: [],
  problems: [],
  approvals: [],
  session: null,
  canContinue: false,
  isDurable: false,
  canResume: false,
  isPinned: false,
  recording: null,
  isKept: false,
};

/** The facts of a run of which only this is known. */
export function newFacts(known: Omit<ViewFacts, keyof Unknown> & Partial<Unknown>): ViewFacts {
  return { ...unknown, ...known };
}
