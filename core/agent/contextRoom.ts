import type { Agent } from './types.js';

/** Tokens kept free for an answer where the config sets no limit. */
const usualAnswer = 4096;
/** Characters a token stands for, at least, in what tools usually return. */
const charactersPerToken = 3;

/** Tokens the messages of a call may take, so that the answer has room too; undefined when the model's context window is unknown. */
export function contextRoom({ model, prompt }: Agent): number | undefined {
  const window = model?.context_window;
  if (window === undefined) return undefined;
  const answer = prompt.max_output_tokens ?? Math.min(model?.max_output_tokens ?? usualAnswer, usualAnswer);
  return Math.max(0, window - Math.min(answer, Math.floor(window / 2)));
}

/** Characters of all results of one turn that fit well: `limit`, or a quarter of the room where that is less. */
export function observationRoom(agent: Agent, limit: number): number {
  const room = contextRoom(agent);
  return room === undefined ? limit : Math.min(limit, Math.floor((room / 4) * charactersPerToken));
}
