import { escapeSegment } from '../json.js';
import type { EffectiveAgent } from '../snapshot/effective.js';
import { toJsonLine, toSingleLine } from './lineText.js';
import { fixed, fromConfig, joinLines, type Piece } from './promptText.js';
import type { PromptTool } from './types.js';

/** Whether the answer comes as the Final Answer of a text protocol, which only agents that reason in a loop have. */
export function speaksInText({ agent_type, tool_protocol }: Pick<EffectiveAgent, 'agent_type' | 'tool_protocol'>): boolean {
  return agent_type === 'react' && tool_protocol === 'text';
}

/**
 * The paragraphs that only an agent that reasons in a loop has: its tools and how to call one, above its examples; its limits, below them.
 *
 * @param isWritten whether a file describes the tool: its texts then have pointers `/tools/{name}/...`, otherwise they are `fixed`
 */
export function loopParagraphs(
  config: EffectiveAgent,
  tools: readonly PromptTool[],
  isWritten: (tool: PromptTool) => boolean,
): { readonly above: readonly (readonly Piece[])[]; readonly below: readonly (readonly Piece[])[] } {
  if (config.agent_type !== 'react') return { above: [], below: [] };
  const inText = speaksInText(config);
  const lines = tools.flatMap((tool) => describe(tool, inText, isWritten(tool)));
  const listed = tools.length === 0 ? [] : joinLines([[fixed('Tools:')], ...lines]);
  return { above: [listed, inText ? protocol(tools.length > 0) : []], below: [limits(config)] };
}

/** A tool's description stays on its line, so that nothing in it can look like another tool or another paragraph. */
function describe({ name, description, parameters, examples = [] }: PromptTool, inText: boolean, isWritten: boolean): Piece[][] {
  const at = `/tools/${escapeSegment(name)}`;
  const piece = (text: string, part = '') => (isWritten ? fromConfig(text, at + part) : fixed(text));
  const words = toSingleLine(description);
  return [
    [fixed('- '), piece(name), ...(words === '' ? [] : [fixed(': '), piece(words, '/description')])],
    ...(inText ? [[fixed('  Parameters: '), piece(toJsonLine(parameters), '/parameters')]] : []),
    ...examples.map((example, index) => [fixed('  Example: '), piece(toJsonLine(example), `/examples/${index}`)]),
  ];
}

function protocol(hasTools: boolean): Piece[] {
  const answer = ['Thought: why you can answer now', 'Final Answer: the answer'];
  const lines = hasTools ? [...asking, 'To answer, write:', ...answer] : ['Write:', ...answer];
  return [fixed(lines.join('\n'))];
}

const asking = [
  'Work in turns: each of your replies either asks for a tool or gives the answer.',
  'To ask for a tool, write these three lines and nothing after them:',
  'Thought: what you know and what you need next',
  'Action: the name of one tool',
  'Action Input: its input as one JSON object that matches its parameters',
  'The result comes back as a line that begins with "Observation:". Never write such a line yourself.',
];

/** The limits that stop the loop; the time limit is for the whole run. */
function limits({ max_iterations, timeout_ms, budget = {} }: EffectiveAgent): Piece[] {
  const { max_time_ms, max_cost } = budget;
  const [time, place] =
    max_time_ms !== undefined && max_time_ms < timeout_ms ? [max_time_ms, '/budget/max_time_ms'] : [timeout_ms, '/timeout_ms'];
  const parts: Piece[][] = [
    [fromConfig(String(max_iterations), '/max_iterations'), fixed(max_iterations === 1 ? ' turn' : ' turns')],
    [fromConfig(String(time / 1000), place), fixed(time === 1000 ? ' second' : ' seconds')],
  ];
  if (max_cost !== undefined) parts.push([fromConfig(String(max_cost), '/budget/max_cost'), fixed(' USD')]);
  const last = parts.length - 1;
  const listed = parts.flatMap((part, index) => (index === 0 ? part : [fixed(index === last ? ' and ' : ', '), ...part]));
  return [fixed('You have at most '), ...listed, fixed('. Answer before they run out.')];
}
