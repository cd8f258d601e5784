import type { AgentEvent } from '../core/agent/events.js';
import { durationText } from '../core/amounts.js';
import { errorLine } from '../core/errorTitles.js';
import { createStory } from '../core/run/story/createStory.js';
import type { StoryChange, StoryEnd, StoryRoute, StoryTask } from '../core/run/story/types.js';
import { toVisibleJson, visibleText } from '../core/visibleText.js';
import { plural } from '../core/words.js';
import { errorHeading } from './errorWords.js';
import { budgetFacts, keptWords, partWords, type RunView, valueText } from './runView.js';
import { type EndedTask, statusColour, teamTable } from './teamTable.js';
import { cutLine } from './terminal/fold.js';
import type { Terminal } from './terminal/terminal.js';
import { costWords, totalWords, usageWords } from './usedText.js';

/**
 * The run of an orchestration for people: its teams, their tasks and where it went from there, as a tree that grows, on stderr; below it, on a
 * terminal, what is at work. Then what each task took, and the output on stdout.
 */
export function createTeamView(terminal: Terminal): RunView {
  const { dim, bold, yellow, cyan } = terminal.err;
  const { story, add } = createStory();
  const ended: EndedTask[] = [];

  function show(change: StoryChange): void {
    switch (change.type) {
      case 'start':
        if (change.resumed !== null) terminal.note(dim(`resumed: ${plural(change.resumed, 'finished step')} not repeated`));
        break;
      case 'team': {
        const { execution, team, has_new_context } = change.team;
        terminal.note(bold(`${execution} ${visibleText(team)}`) + (has_new_context ? dim('  with a changed context') : ''));
        break;
      }
      case 'task':
        if (!terminal.stderrIsTerminal) terminal.note(dim(`  ${visibleText(change.task.task)} begins`));
        break;
      case 'task_end':
        ended.push(change);
        showTaskEnd(change.task);
        break;
      case 'route':
        showRoute(change.team.route);
        break;
      case 'calls':
      case 'answers': {
        // Of the answers only failures are shown.
        const isCall = change.type === 'calls';
        for (const { name, input, output, state } of change.calls) {
          if (!isCall && state !== 'failed') continue;
          const label = `    ${visibleText(change.step.task)} ${isCall ? '->' : '<-'} ${visibleText(name)} `;
          terminal.note((isCall ? dim : yellow)(label + cutLine(valueText(isCall ? input : output), terminal.columns - label.length)));
        }
        break;
      }
      case 'part': {
        const colour = change.part.type === 'output_limit' ? dim : yellow;
        for (const words of partWords(change.part)) terminal.note(colour(`    ${visibleText(change.step.task)}: ${words}`));
        break;
      }
      case 'end':
        showEnd(change.end);
        break;
      default:
        break;
    }
  }

  function showTaskEnd({ task, status, end }: StoryTask): void {
    if (end === null) return;
    const colour = statusColour(status ?? '', terminal.err);
    const tools = end.tools_used ?? [];
    const facts = [
      durationText(end.duration_ms ?? 0),
      totalWords(end),
      costWords(end),
      ...(tools.length > 0 ? [tools.map(visibleText).join(', ')] : []),
    ];
    terminal.note(`  ${visibleText(task)}  ${colour(status ?? '?')}  ${dim(facts.join(' | '))}`);
    if (end.error !== null) terminal.note(`    ${colour(cutLine(errorLine(end.error), terminal.columns - 4))}`);
  }

  function showRoute(route: StoryRoute | null): void {
    if (route === null) return;
    const { rule, next_team, context_updates, notes } = route;
    const where = next_team === null ? 'end' : visibleText(next_team);
    terminal.note(`  ${cyan(`-> ${where}`)}  ${dim(rule === null ? 'default' : `rule ${rule + 1}`)}`);
    if (context_updates !== null) terminal.note(dim(`     context: ${cutLine(JSON.stringify(context_updates), terminal.columns - 14)}`));
    for (const note of notes) terminal.note(yellow(`     ${visibleText(note)}`));
  }

  function showEnd(end: StoryEnd): void {
    const { status, error, snapshot_hash, snapshot_path, output = null } = end;
    // What stopped the run before it began is shown in full by the command's error report.
    if (status === 'failed' && snapshot_hash === null) return;
    if (output !== null) terminal.print(toVisibleJson(output));
    for (const line of ['', ...teamTable(ended, terminal.err)]) terminal.note(line);
    if (error !== null) terminal.note(`${errorHeading(error, terminal.err)} ${visibleText(error.message)}`);
    const teams = new Set(ended.map(({ team }) => team.index)).size;
    const facts = [
      visibleText(end.name ?? '?'),
      `${plural(teams, 'team')}, ${plural(ended.length, 'task')}`,
      durationText(end.duration_ms ?? 0),
      usageWords(end),
      costWords(end),
      ...budgetFacts(end),
    ];
    terminal.note(`${bold(statusColour(status ?? '', terminal.err)(status ?? '?'))} ${facts.join(' | ')}`);
    if (snapshot_path !== null) terminal.note(keptWords(snapshot_path));
  }

  /** What each task at work does: the tool that it called last, or the step that it is at. */
  function showProgress(): void {
    const working = (story.teams.at(-1)?.tasks ?? []).filter(({ state }) => state === 'running');
    if (working.length === 0) return;
    const words = working.map(({ task, steps }) => {
      const step = story.steps[steps.at(-1) ?? -1];
      const call = step?.parts.findLast((part) => part.type === 'call');
      const turn = step === undefined || step.number === 1 ? '' : `step ${step.number}`;
      const activity = call?.name ?? step?.plan_step ?? turn;
      return visibleText(activity === '' ? task : `${task} (${activity})`);
    });
    terminal.progress(`  at work: ${words.join(', ')}`);
  }

  return {
    event(event: AgentEvent) {
      const change = add(event);
      show(change);
      if (!unshown.has(change.type)) showProgress();
    },
  };
}

/** What changes nothing in the lines of a team. */
const unshown: ReadonlySet<StoryChange['type']> = new Set(['text', 'thinking', 'step_end', 'team_end', 'end', 'other']);
