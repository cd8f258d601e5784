import { usdText } from '../amounts.js';
import { worstCaseWords } from '../llm/worstCase.js';
import { toVisibleJson, visibleLines, visibleText } from '../visibleText.js';
import type { PromptDescription } from './describePrompt.js';
import type { TypicalCost } from './typicalCost.js';

/** How headings and the remarks next to them are styled; unchanged where styling is not possible. */
export interface PageStyle {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
}

/** A description, or the known part of it. */
export type PageFacts = Omit<PromptDescription, LaterFact> & Partial<Pick<PromptDescription, LaterFact>>;
type LaterFact = 'tools' | 'unlisted_servers' | 'worst_case' | 'typical_cost';

const plain: PageStyle = { bold: (text) => text, dim: (text) => text };

/**
 * A prompt as a page of plain text: its messages, its response format, the tools that are sent with it, its tokens, what a run can cost at
 * most, and its model and snapshot. Ends without a line break.
 */
export function promptPage(
  {
    messages,
    response_format,
    tools = [],
    tokens,
    model_name,
    snapshot_hash,
    unlisted_servers = [],
    worst_case = null,
    typical_cost = null,
  }: PageFacts,
  provider: string,
  { bold, dim }: PageStyle = plain,
): string {
  const lines: string[] = [];
  for (const { role, content } of messages) lines.push(`${bold(`[${role}]`)}\n${visibleLines(content)}\n`);
  if (response_format) {
    const { name, strict, schema } = response_format.json_schema;
    lines.push(`${bold('[response format]')} ${dim(`json_schema ${name}, strict: ${strict}`)}`, `${toVisibleJson(schema)}\n`);
  }
  if (tools.length > 0) {
    lines.push(`${bold('[tools]')} ${dim(`${tools.length}, sent with the request; parameters:`)}`);
    for (const { name, parameters } of tools) lines.push(`${name} ${visibleText(JSON.stringify(parameters))}`);
    lines.push('');
  }
  const each = messages.map(({ role }, index) => `${role} ${tokens.messages[index]}`);
  if (tokens.tools !== undefined) each.push(`tools ${tokens.tools}`);
  lines.push(`${bold('tokens  ')} ${tokens.total}${tokens.estimated ? ' (estimated)' : ''}: ${each.join(', ')}, and what frames them`);
  if (worst_case) lines.push(`${bold('cost    ')} ${worstCaseWords(worst_case)}${typical_cost ? typicalWords(typical_cost) : ''}`);
  for (const id of unlisted_servers)
    lines.push(`${bold('tools   ')} those of ${visibleText(id)} are not listed yet: "npx agent-stack tools" lists and pins them`);
  lines.push(`${bold('model   ')} ${model_name} (${provider})`);
  lines.push(`${bold('snapshot')} ${snapshot_hash}`);
  return lines.join('\n');
}

function typicalWords({ usd, basis, runs }: TypicalCost): string {
  const from = basis === 'schema' ? 'with an answer by its schema' : `as the last ${runs === 1 ? 'run' : `${runs} runs`}`;
  return `; typically ${usdText(usd)}, ${from}`;
}
