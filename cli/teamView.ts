import type { AgentEvent, RunResult } from '../core/agent/events.js';
import { plural } from '../core/plural.js';
import { toVisibleJson, visibleText } from '../core/visibleText.js';
import type { RunView } from './runView.js';
import { seconds, statusColour, type TaskRow, teamTable } from './teamTable.js';
import { cutLine } from './terminal/fold.js';
import type { Terminal } from './terminal/terminal.js';
import { usdText } from './usd.js';

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
        if (event.resumed !== undefined) this.#say(dim(`goes on: ${plural(event.resumed, 'finished step')} taken over`));
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
        for (const { name, args } of event.tool_calls) {
          const label = `    ${visibleText(event.task ?? '')} -> ${visibleText(name)} `;
          const text = typeof args === 'string' ? args : JSON.stringify(args);
          this.#say(dim(label + cutLine(text, this.#terminal.columns - label.length)));
          this.#does(event.task, name);
        }
        break;
      case 'tool_result':
        for (const { name, result, is_error } of event.tool_results) {
          if (!is_error) continue;
          const label = `    ${visibleText(event.task ?? '')} <- ${visibleText(name)} `;
          const text = typeof result === 'string' ? result : JSON.stringify(result);
          this.#say(yellow(label + cutLine(text, this.#terminal.columns - label.length)));
        }
        break;
      case 'retry':
        this.#say(
          yellow(
            `    ${visibleText(event.task ?? '')}: try ${event.attempt} failed, next in ${seconds(event.wait_ms)}: ${visibleText(event.reason)}`,
          ),
        );
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
    const { execution_time_ms, token_usage, estimated_cost_usd, simulated, tools_used } = result.metadata;
    this.#rows.push({
      execution: this.#execution,
      team,
      task,
      status,
      duration_ms: execution_time_ms,
      tokens: token_usage.total_tokens,
      cost: estimated_cost_usd,
      simulated,
    });
    const { err, columns } = this.#terminal;
    const colour = statusColour(status, err);
    const facts = [
      seconds(execution_time_ms),
      plural(token_usage.total_tokens, 'token'),
      ...(simulated ? ['simulated'] : estimated_cost_usd === null ? [] : [usdText(estimated_cost_usd)]),
      ...(tools_used.length > 0 ? [tools_used.map(visibleText).join(', ')] : []),
    ];
    this.#say(`  ${visibleText(task)}  ${colour(status)}  ${err.dim(facts.join(' | '))}`);
    if (result.error !== null) this.#say(`    ${colour(cutLine(`${result.error.code}: ${result.error.message}`, columns - 4))}`);
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
    const { bold, red, err } = { ...terminal.err, err: terminal.err };
    if (output !== null) terminal.print(toVisibleJson(output));
    for (const line of ['', ...teamTable(this.#rows, err)]) this.#say(line);
    if (error !== null) this.#say(`${red(`${error.code}:`)} ${visibleText(error.message)}`);
    const { token_usage, estimated_cost_usd, simulated } = metadata;
    const teams = this.#rows.length === 0 ? 0 : new Set(this.#rows.map(({ execution }) => execution)).size;
    const facts = [
      visibleText(metadata.agent_name),
      `${plural(teams, 'team')}, ${plural(this.#rows.length, 'task')}`,
      seconds(metadata.execution_time_ms),
      `${token_usage.prompt_tokens} + ${token_usage.completion_tokens} tokens${simulated ? ' (estimated)' : ''}`,
      simulated ? 'simulated' : estimated_cost_usd === null ? 'cost unknown: a model has no price' : usdText(estimated_cost_usd),
    ];
    this.#say(`${bold(statusColour(status, err)(status))} ${facts.join(' | ')}`);
    const { snapshot_path } = metadata;
    if (snapshot_path !== null) this.#say(`kept in  ${visibleText(snapshot_path.slice(0, snapshot_path.lastIndexOf('/')))}`);
  }
}
