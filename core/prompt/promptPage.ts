import { toVisibleJson, visibleLines } from '../visibleText.js';
import type { PromptDescription } from './describePrompt.js';

/** How headings and what is said beside them are set off; as they are where there is no other way. */
export interface PageStyle {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
}

const plain: PageStyle = { bold: (text) => text, dim: (text) => text };

/** A prompt as a page of plain text: its messages, its response format, its tokens and what names it. Ends without a line break. */
export function promptPage(
  { messages, response_format, tokens, model_name, snapshot_hash }: PromptDescription,
  provider: string,
  { bold, dim }: PageStyle = plain,
): string {
  const lines: string[] = [];
  for (const { role, content } of messages) lines.push(`${bold(`[${role}]`)}\n${visibleLines(content)}\n`);
  if (response_format) {
    const { name, strict, schema } = response_format.json_schema;
    lines.push(`${bold('[response format]')} ${dim(`json_schema ${name}, strict: ${strict}`)}`, `${toVisibleJson(schema)}\n`);
  }
  const each = messages.map(({ role }, index) => `${role} ${tokens.messages[index]}`).join(', ');
  lines.push(`${bold('tokens  ')} ${tokens.total}${tokens.estimated ? ' (estimated)' : ''}: ${each}, and what frames them`);
  lines.push(`${bold('model   ')} ${model_name} (${provider})`);
  lines.push(`${bold('snapshot')} ${snapshot_hash}`);
  return lines.join('\n');
}
