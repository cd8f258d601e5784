import { loopLimits } from '../config/loopLimits.js';
import type { AgentPromptValidationError } from '../errors.js';
import { cut } from './react/observation.js';

const mostIssues = 20;

/**
 * What a model is told of an answer that the output schema refuses.
 *
 * @param again how it is to answer then, as a sentence
 */
export function correctionOf({ issues }: AgentPromptValidationError, again: string): string {
  const lines = issues.slice(0, mostIssues).map(({ path, message }) => `- ${path === '' ? 'the answer' : path}: ${message}`);
  return `The answer does not fit the output schema:\n${cut(lines.join('\n'), loopLimits.correction)}\n${again}`;
}

/** What it is told of one that was cut off. */
export function shorterWords(again: string): string {
  return `Your reply was cut off at the output limit. Be shorter. ${again}`;
}
