import type { ProjectIndex } from '../config/projectIndex.js';
import type { JsonObject } from '../json.js';
import { type NewFile, toNewFile } from './newFile.js';

/** @param name a legal name that no prompt has */
export function newPromptFile({ settings }: Pick<ProjectIndex, 'settings'>, name: string): NewFile {
  return toNewFile('prompt', `${name}@v1`, settings, promptTemplate(name, 'v1', ['text']));
}

/** A template that takes the place of an agent's `system_text`. @param keys the keys of the payload that it uses */
export function promptTemplate(name: string, version: string, keys: readonly string[] = []): JsonObject {
  const paths = keys.map((key) => `input.${key}`);
  const intro = `You are ${name.replaceAll(/[._-]+/g, ' ')}. Say here what the agent knows and how it works.`;
  const template = [intro, ...paths.map((path) => `You read this:\n{{${path}}}`)].join('\n\n');
  return { name, version, ...(paths.length > 0 && { variables: paths }), template };
}
