import type { AgentEvent, RunResult } from '../core/agent/events.js';
import { durationText } from '../core/duration.js';
import { plural } from '../core/plural.js';
import { toVisibleJson, visibleText } from '../core/visibleText.js';
import { errorHeading, errorLine } from './errorWords.js';
import { budgetFacts, outputLimitWords, type RunView } from './runView.js';
import { statusColour, type TaskRow, teamTable } from './teamTable.js';
import { cutLine } from './terminal/fold.js';
import type { Terminal } from './terminal/terminal.js';
import { costWords, totalWords, usageWords, usedOf } from './usedText.js';

type TaskEnd = Extract<AgentEvent, { type: 'task_end' }>;
type Route = Extract<AgentEvent, { type: 'route' }>;

/**
 * The run of an orchestration for people: its teams, their tasks and where it went from there, as a tree that grows, on stderr; below it, on a
 * terminal, what is at work. Then what each task took, and the output on stdout.
 */
export function createTeamView(terminal: Terminal): RunView {
  return new TeamView(terminal);
}

class TeamView implements RunView {
  readonly #terminal: Terminal;
  /** Tasks at work to what they do. */
  readonly #working = new Map<string, string>();
  readonly #rows: TaskRow[] = [];
  #execution = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  event(event: AgentEvent): void {
    const { dim, bold, yellow } = this.#terminal.err;
    switch (event.type) {
      case 'run_start':
        if (event.resumed !== undefined) this.#say(dim(`resumed: ${plural(event.resumed, 'finished step')} not repeated`));
        break;
      case 'team_start':
        this.#execution = event.execution;
        this.#say(bold(`${event.execution} ${visibleText(event.team)}`) + (event.snapshot_hash ? dim('  with a changed context') : ''));
        break;
      case 'task_start':
        this.#working.set(event.task, '');
        if (!this.#terminal.stderrIsTerminal) this.#say(dim(`  ${visibleText(event.task)} begins`));
        break;
      case 'task_end':
        this.#working.delete(event.task);
        this.#taskEnd(event);
        break;
      case 'route':
        this.#route(event);
        break;
      case 'final':
        this.#working.clear();
        this.#final(event.result);
        return;
      case 'step_start':
        if (event.plan_step !== undefined) this.#does(event.task, event.plan_step);
        else if (event.step > 1) this.#does(event.task, `step ${event.step}`);
        break;
      case 'tool_call':
        for (const { name, input } of event.tool_calls) {
          const label = `    ${visibleText(event.task ?? '')} -> ${visibleText(name)} `;
          const text = typeof input === 'string' ? input : JSON.stringify(input);
          this.#say(dim(label + cutLine(text, this.#terminal.columns - label.length)));
          this.#does(event.task, name);
        }
        break;
      case 'tool_result':
        for (const { name, output, is_error } of event.tool_results) {
          if (!is_error) continue;
          const label = `    ${visibleText(event.task ?? '')} <- ${visibleText(name)} `;
          const text = typeof output === 'string' ? output : JSON.stringify(output);
          this.#say(yellow(label + cutLine(text, this.#terminal.columns - label.length)));
        }
        break;
      case 'retry':
        this.#say(
          yellow(
            `    ${visibleText(event.task ?? '')}: try ${event.attempt} failed, next in ${durationText(event.wait_ms)}: ${visibleText(event.reason)}`,
          ),
        );
        break;
      case 'output_limit':
        this.#say(dim(`    ${visibleText(event.task ?? '')}: ${outputLimitWords(event)}`));
        break;
      case 'repair':
        for (const { message } of event.issues)
          this.#say(yellow(`    ${visibleText(event.task ?? '')}: repaired: ${visibleText(message)}`));
        break;
      default:
        return;
    }
    this.#progress();
  }

  #say(line: string): void {
    this.#terminal.note(line);
  }

  #does(task: string | undefined, what: string): void {
    if (task !== undefined && this.#working.has(task)) this.#working.set(task, what);
  }

  #progress(): void {
    if (this.#working.size === 0) return;
    const tasks = [...this.#working].map(([task, what]) => visibleText(what === '' ? task : `${task} (${what})`));
    this.#terminal.progress(`  at work: ${tasks.join(', ')}`);
  }

  #taskEnd({ team, task, status, result }: TaskEnd): void {
    const { execution_time_ms, tools_used } = result.metadata;
    const used = usedOf(result.metadata);
    this.#rows.push({
      execution: this.#execution,
      team,
      task,
      status,
      duration_ms: execution_time_ms,
      used,
    });
    const { err, columns } = this.#terminal;
    const colour = statusColour(status, err);
    const facts = [
      durationText(execution_time_ms),
      totalWords(used),
      costWords(used),
      ...(tools_used.length > 0 ? [tools_used.map(visibleText).join(', ')] : []),
    ];
    this.#say(`  ${visibleText(task)}  ${colour(status)}  ${err.dim(facts.join(' | '))}`);
    if (result.error !== null) this.#say(`    ${colour(cutLine(errorLine(result.error), columns - 4))}`);
  }

  #route({ rule, next_team, context_updates, notes }: Route): void {
    const { cyan, dim, yellow } = this.#terminal.err;
    const where = next_team === null ? 'end' : visibleText(next_team);
    this.#say(`  ${cyan(`-> ${where}`)}  ${dim(rule === null ? 'default' : `rule ${rule + 1}`)}`);
    if (context_updates !== null) this.#say(dim(`     context: ${cutLine(JSON.stringify(context_updates), this.#terminal.columns - 14)}`));
    for (const note of notes) this.#say(yellow(`     ${visibleText(note)}`));
  }

  #final(result: RunResult): void {
    const { status, error, metadata, output } = result;
    // What stopped the run before it began is shown in full by the command's error report.
    if (status === 'failed' && metadata.snapshot_hash === null) return;
    const terminal = this.#terminal;
    const { bold, err } = { ...terminal.err, err: terminal.err };
    if (output !== null) terminal.print(toVisibleJson(output));
    for (const line of ['', ...teamTable(this.#rows, err)]) this.#say(line);
    if (error !== null) this.#say(`${errorHeading(error, err)} ${visibleText(error.message)}`);
    const teams = this.#rows.length === 0 ? 0 : new Set(this.#rows.map(({ execution }) => execution)).size;
    const facts = [
      visibleText(metadata.agent_name),
      `${plural(teams, 'team')}, ${plural(this.#rows.length, 'task')}`,
      durationText(metadata.execution_time_ms),
      usageWords(metadata),
      costWords(usedOf(metadata)),
      ...budgetFacts(metadata.unpriced_models),
    ];
    this.#say(`${bold(statusColour(status, err)(status))} ${facts.join(' | ')}`);
    const { snapshot_path } = metadata;
    if (snapshot_path !== null) this.#say(`kept in  ${visibleText(snapshot_path.slice(0, snapshot_path.lastIndexOf('/')))}`);
  }
}
