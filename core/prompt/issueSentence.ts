import type { Issue } from '../errors.js';

/** An issue as a whole sentence: messages of the schema's check are the end of one about the value; ours are whole already. `whole` names the value that was checked. */
export function issueSentence({ path, message }: Issue, whole: string): string {
  const text = message.endsWith('.') ? message : `${message}.`;
  if (/^[a-z]/.test(text)) return `${path === '' ? whole : path} ${text}`;
  return path === '' ? text : `${path}: ${text}`;
}
