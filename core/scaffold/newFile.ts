import { newFileText } from '../config/fileText.js';
import { pathOf } from '../config/paths.js';
import type { ProjectIndex } from '../config/projectIndex.js';
import type { ProjectSettings } from '../config/projectSettings.js';
import type { JsonObject } from '../json.js';
import { promptFileText } from '../jsonText/promptEdits.js';
import type { Kind } from '../kinds.js';
import type { FileSystem } from '../ports.js';

/** A file that a command is going to create. */
export interface NewFile {
  /** Project path. */
  readonly path: string;
  readonly text: string;
}

/** The first is the requested file; it needs the others. */
export type NewFiles = readonly [NewFile, ...NewFile[]];

/** A config file at its place, beginning with the `$schema` of its kind. */
export function toNewFile(kind: Kind, id: string, settings: Pick<ProjectSettings, 'config_dir'>, value: JsonObject): NewFile {
  return { path: pathOf(kind, id, settings), text: newFileText(kind, value) };
}

/**
 * Writes new files, the requested one last: after an interrupted attempt it does not exist yet, so that the next attempt can create it.
 * @throws FileProblem, `exists` if a file exists already
 */
export async function writeNewFiles(files: Pick<FileSystem, 'writeText'>, created: readonly NewFile[]): Promise<void> {
  for (const { path, text } of created.toReversed()) await files.writeText(path, text, { exclusive: true });
}

/**
 * The settings of an environment, a layer over `system.json` while it is chosen. It initially sets the profile of agents without one.
 *
 * @param name a legal name that is free
 */
export function newEnvironmentFile(project: Pick<ProjectIndex, 'ids' | 'settings'>, name: string): NewFile {
  const [llm_config_id] = project.ids('llm').keys();
  return toNewFile('system', name, project.settings, { agent_defaults: { ...(llm_config_id !== undefined && { llm_config_id }) } });
}

/** @param name a legal name that is free */
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

/** @param name a legal name that is free */
export function newPromptFile({ settings }: Pick<ProjectIndex, 'settings'>, name: string): NewFile {
  return { path: promptTextPath(`${name}@v1`, settings), text: promptText(name, ['text']) };
}

/** The path of a prompt as a text file. */
export function promptTextPath(id: string, settings: Pick<ProjectSettings, 'config_dir'>): string {
  return pathOf('prompt', id, settings).replace(/\.json$/, '.md');
}

/** A template that replaces an agent's `system_text`, as a text file. @param keys the keys of the payload that it uses */
export function promptText(name: string, keys: readonly string[] = []): string {
  const variables = keys.map((key) => `input.${key}`);
  const intro = `You are ${name.replaceAll(/[._-]+/g, ' ')}. Say here what the agent knows and how it works.`;
  const template = [intro, ...variables.map((path) => `You read this:\n{{${path}}}`)].join('\n\n');
  return promptFileText({ ...(variables.length > 0 && { variables }), template }) ?? '';
}

/**
 * A payload file of an agent or an orchestration.
 *
 * @param owner name of the agent or orchestration
 * @param name a legal name that is free
 * @param value with `input`, or for an orchestration `context`
 */
export function newCaseFile({ settings }: Pick<ProjectIndex, 'settings'>, owner: string, name: string, value: JsonObject): NewFile {
  return toNewFile('payload', `${owner}/${name}`, settings, value);
}
