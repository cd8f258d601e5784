import type { Policy } from '../../core/generated/types.js';
import type { FlowGraph, FlowNode, GraphTool } from '../../core/permits/flowGraph.js';
import { assertionWords, assumptions, changeWords, flowAt, flowWords, permitSentences } from '../../core/permits/permitWords.js';
import type { ProjectPermits } from '../../core/permits/projectPermits.js';
import type { PermittedFlow, SubjectPermits } from '../../core/permits/subjectPermits.js';
import { wayWords } from '../../core/permits/words.js';
import { visibleText } from '../../core/visibleText.js';
import { plural } from '../../core/words.js';
import type { Styles } from '../terminal/styles.js';

interface PermitLineOptions {
  readonly styles: Styles;
  readonly pathOf: (file: string) => string;
}

/** A page for each subject, what only several make possible, and what the answers rest on. */
export function permitLines({ subjects, between, graph, policy, unread }: ProjectPermits, { styles, pathOf }: PermitLineOptions): string {
  const withTools = subjects.filter(({ permits }) => permits.graph.tools.length > 0);
  const without = subjects.length - withTools.length;
  const pages = withTools.map(({ permits, file, isExposed, problems }) => {
    const { name, version } = permits;
    const head = `${styles.bold(visibleText(`${name}${version === undefined ? '' : `@${version}`}`))} (${visibleText(pathOf(file))})`;
    const faults =
      problems.length === 0 ? [] : [`Its config has ${plural(problems.length, 'error')}, so more may be different: ${problems[0]}`];
    return [
      head,
      ...[
        ...faults,
        ...(isExposed ? [exposedWords] : []),
        ...permitSentences(permits),
        ...flowLines(permits.flows, permits.graph),
        ...heldLines(permits),
      ].map(indented),
      ...verdictLines(permits, policy, styles),
    ].join('\n');
  });
  return [
    ...pages,
    ...(between.length === 0
      ? []
      : [['Between runs, by what servers, files and sessions keep:', ...flowLines(between, graph).map(indented)].join('\n')]),
    ...(without === 0
      ? []
      : [
          `${without} of ${plural(subjects.length, 'agent')} and orchestrations ${without === 1 ? 'has' : 'have'} no tools: ${without === 1 ? 'it only answers' : 'they only answer'}.`,
        ]),
    ...unread.map((path) => `Not read, so nothing that it says counts here: ${visibleText(pathOf(path))}`),
    ...(withTools.length === 0 ? [] : [styles.dim(['This holds as far as:', ...assumptions.map((text) => `  ${text}`)].join('\n'))]),
  ].join('\n\n');
}

const exposedWords = 'Other programs may run it ("expose": true): what they send is trusted, and they get its answer.';

const indented = (text: string) => `  ${visibleText(text)}`;

function flowLines(flows: readonly PermittedFlow[], graph: FlowGraph): readonly string[] {
  const agentOf = (instance: string) => graph.tools.find((tool) => tool.instance === instance)?.agent_name ?? instance;
  const lines = flows.flatMap((flow) => {
    if (!flow.isSure) return [];
    const ends = flow.changes.map((change) => changeWords(change, agentOf)).join(', or ');
    return [`Flow: ${flowWords(flow, graph)}.`, `  To end ${flow.calls.length === 1 ? 'it' : 'the first'}: ${ends}.`];
  });
  const open = new Set(flows.flatMap(({ isSure, calls }) => (isSure ? [] : calls.map(({ id }) => id))));
  if (open.size > 0) lines.push(`Flows that depend on labels that are missing: to ${[...open].join(', ')}.`);
  return lines;
}

const callOf = (tool: GraphTool): FlowNode => ({ type: 'call', subject: tool.subject, tool });

function heldLines({ held }: SubjectPermits): readonly string[] {
  const places = [...new Set(held.map(({ agent, path }) => [agent, ...path].join('.')))];
  return places.length === 0 ? [] : [`Held by a contract, so that no text passes: ${places.join(', ')}.`];
}

function verdictLines({ policy: verdicts, graph }: SubjectPermits, policy: Policy, styles: Styles): readonly string[] {
  const outcomes = { proved: styles.green('proved'), refuted: styles.red('refuted'), not_known: styles.yellow('not known') };
  return verdicts.flatMap(({ pointer, outcome, offences }) => {
    const ends = flowAt(policy, pointer);
    return [
      `  Policy, ${visibleText(assertionWords(policy, pointer))}: ${outcomes[outcome]}`,
      ...offences.map(({ way, tool, isSure }) => {
        const words = wayWords(graph, way.length === 0 ? [callOf(tool)] : way, ends);
        return `    ${isSure ? '' : 'not known: '}${visibleText(words)}`;
      }),
    ];
  });
}
