import { usdBoundText } from '../../core/amounts.js';
import { isObject } from '../../core/json.js';
import { tokensText } from '../../core/llm/tokenText.js';
import { basisWords, boundsIn, boundsWords, type OrchestrationBounds, teamBoundWords } from '../../core/rules/facts/orchestrationBounds.js';
import type { FileView } from '../names/fileView.js';
import { type Block, line, list, type Part } from './hoverText.js';

/** Upper bounds of a run of an orchestration, and the teams that contribute most. */
export async function orchestrationCostWords(view: FileView): Promise<readonly Block[]> {
  const bounds = await boundsOf(view);
  if (bounds === undefined) return [];
  const { run, teams, unknown } = bounds;
  const tokens = [tokensOf('sent', run.prompt_tokens), tokensOf('received', run.completion_tokens)].flatMap((part) => part ?? []);
  const gaps = unknown
    .slice(0, mostShown)
    .map(({ team, task, model_name, worst }): Part[] => [
      'Unknown: the ',
      worst.unknown === 'price' ? 'price' : 'length of an answer',
      ' of ',
      model_name === undefined ? 'the model' : { code: model_name },
      ' (task ',
      { code: task },
      ' of ',
      { code: team },
      ')',
    ]);
  const costOf = ({ executions, each }: OrchestrationBounds['teams'][number]) => executions * (each.limit ?? 0);
  const dearest = teams.filter((team) => costOf(team) > 0).toSorted((left, right) => costOf(right) - costOf(left));
  const shares = dearest
    .slice(0, mostShown)
    .map((team): Part[] => [
      { code: team.team },
      `: ${teamBoundWords(team)}${team.executions > 1 ? `, ${usdBoundText(costOf(team))} in all` : ''}`,
    ]);
  return [
    line(`A run: ${boundsWords(bounds)}${tokens.length > 0 ? ` (${tokens.join(', ')})` : ''}. ${basisWords(bounds)}`),
    ...(gaps.length > 0 ? [list(gaps)] : []),
    ...(shares.length > 1 ? [list(shares)] : []),
  ];
}

/** Upper bounds of the runs of a team, and of one run. */
export async function teamCostWords(view: FileView, team: string): Promise<readonly Block[]> {
  const bounds = await boundsOf(view);
  const teamBounds = bounds?.teams.find((candidate) => candidate.team === team);
  return bounds === undefined || teamBounds === undefined ? [] : [line(`In a run: ${teamBoundWords(teamBounds)}. ${basisWords(bounds)}`)];
}

const mostShown = 5;

function tokensOf(what: string, tokens: number | null): string | undefined {
  return tokens === null ? undefined : `${tokensText(tokens)} ${what}`;
}

/** Undefined for other files, and for invalid JSON. */
async function boundsOf({ file, document, project }: FileView): Promise<OrchestrationBounds | undefined> {
  if (file.identity.kind !== 'orchestration' || document.config === undefined || !isObject(document.config.value)) return undefined;
  // The proofs about routes may need the schema compiler, which the rules load.
  await project.findings(file.path);
  return boundsIn(document.config, project.ruleContext);
}
