import type { Kind } from '../core/kinds.js';
import type { Project } from './workspace.js';

const counted: readonly (readonly [kind: Kind, one: string, many: string])[] = [
  ['agent', 'agent version', 'agent versions'],
  ['orchestration', 'orchestration', 'orchestrations'],
  ['llm', 'LLM profile', 'LLM profiles'],
  ['persona', 'persona', 'personas'],
  ['prompt', 'prompt version', 'prompt versions'],
  ['payload', 'payload', 'payloads'],
  ['baseline', 'baseline', 'baselines'],
];

/** What a project consists of, for the log: `Project DIR: 6 agent versions, 2 orchestrations, 1 LLM profile`. */
export function loadedWords(project: Pick<Project, 'root' | 'index' | 'foreignFiles'>): string {
  const parts = counted.flatMap(([kind, one, many]) => {
    const { size } = project.index.ids(kind);
    return size === 0 ? [] : [`${size} ${size === 1 ? one : many}`];
  });
  const foreign = project.foreignFiles().length;
  if (foreign > 0) parts.push(`${foreign} ${foreign === 1 ? 'file' : 'files'} of other tools left alone`);
  return `Project ${project.root}: ${parts.length === 0 ? 'no config files' : parts.join(', ')}`;
}
