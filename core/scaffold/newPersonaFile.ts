import type { ProjectIndex } from '../config/projectIndex.js';
import type { JsonObject } from '../json.js';
import { type NewFile, toNewFile } from './newFile.js';

/** @param name a legal name that no persona has */
export function newPersonaFile({ settings }: Pick<ProjectIndex, 'settings'>, name: string): NewFile {
  return toNewFile('persona', name, settings, personaTemplate(name));
}

/** Fields that several agents share. */
export function personaTemplate(name: string): JsonObject {
  return {
    description: `What agents with the persona ${name} have in common.`,
    system_text: `You are ${name.replaceAll(/[._-]+/g, ' ')}. Say here what these agents know and how they write.`,
  };
}
