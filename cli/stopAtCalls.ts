import { InvalidArgumentError, Option } from 'commander';
import type { Change, Gate, Stop } from '../core/agent/gate.js';
import { usdText } from '../core/amounts.js';
import { describeStop } from '../core/debug/describeStop.js';
import { editablesAt, editedAt } from '../core/debug/editable.js';
import { findingNames, findingTitle } from '../core/debug/findings.js';
import { CancelledError, InputInvalidError } from '../core/errors.js';
import { messageWeight } from '../core/llm/messageText.js';
import { countText } from '../core/llm/tokenText.js';
import { editText } from '../core/node/editText.js';
import { FileProblem } from '../core/ports.js';
import { toVisibleJson, visibleLines, visibleText } from '../core/visibleText.js';
import { plural } from '../core/words.js';
import { mayAsk } from './askYes.js';
import { type Cli, UsageError } from './cli.js';
import { Answers } from './terminal/answers.js';
import { fold } from './terminal/fold.js';

const places = {
  'before-call': 'model',
  'after-answer': 'answer',
  'before-tool': 'tool',
  'after-tool': 'tool_answer',
  'at-route': 'route',
} as const satisfies { readonly [name: string]: Stop['at'] };

const findings = new Map(Object.entries(findingNames).map(([kind, { place }]) => [place, kind]));
const names = [...Object.keys(places), ...findings.keys()];

export interface StopOptions {
  /** Kinds of stops and of findings. */
  readonly break?: readonly string[];
  readonly step?: true;
}

export function breakOption(): Option {
  const words = `stop there, show what is sent or answered, and wait: ${names.join(', ')}, with commas between`;
  return new Option('--break <places>', words).argParser(toPlaces);
}

export function stepOption(): Option {
  return new Option('--step', `stop at each place from ${names[0]} to ${Object.keys(places).at(-1)}`);
}

function toPlaces(value: string): readonly string[] {
  return value.split(',').map((name) => {
    const place = name.trim();
    const kind = Object.hasOwn(places, place) ? places[place as keyof typeof places] : findings.get(place);
    if (kind !== undefined) return kind;
    throw new InvalidArgumentError(`There is no place ${JSON.stringify(place)}. There are: ${names.join(', ')}.`);
  });
}

function isWanted(stop: Stop, wanted: ReadonlySet<string>, isStepping: boolean): boolean {
  return stop.at === 'finding' ? wanted.has(stop.finding.kind) : isStepping || wanted.has(stop.at);
}

/** The gate of a run at a terminal. `signal` ends the run where the person says so. */
export interface TerminalStops {
  readonly gate: Gate;
  readonly signal: AbortSignal;
  /** Lets go of stdin. */
  close(): void;
}

/** Undefined unless the options ask for stops. @throws UsageError without a terminal */
export function createTerminalStops(cli: Cli, options: StopOptions): TerminalStops | undefined {
  if (options.break === undefined && options.step === undefined) return undefined;
  const name = options.step ? '--step' : '--break';
  if (!mayAsk(cli))
    throw new UsageError(`${name} waits for a person at a terminal, and there is none. Leave it out, or use \`runs show\` afterwards.`);
  const over = new AbortController();
  const session = { wanted: new Set(options.break ?? []), isStepping: options.step === true };
  const answers = Answers.of(cli);
  const release = answers.hold();
  const ask = async (stop: Stop): Promise<Change | undefined> => {
    if (over.signal.aborted || !isWanted(stop, session.wanted, session.isStepping)) return undefined;
    const decision = await askAt(cli, stop, () => answers.next());
    if (decision === 'end') over.abort(new CancelledError('The run was ended at a stop.'));
    session.isStepping = decision !== 'end' && decision.isStepping;
    return decision === 'end' ? undefined : decision.change;
  };
  return {
    // Parallel tasks wait for one person, one after another.
    gate: (stop) => answers.ask(() => ask(stop)),
    signal: over.signal,
    close: release,
  };
}

type Decision = { readonly isStepping: boolean; readonly change?: Change | undefined } | 'end';

async function askAt(cli: Cli, stop: Stop, next: () => Promise<string | undefined>): Promise<Decision> {
  const { terminal } = cli;
  const { yellow, bold, dim } = terminal.err;
  terminal.endLine();
  terminal.note(bold(yellow(`Stopped ${visibleText(describeStop(stop))}`)));
  showStop(cli, stop, 6);
  let change: Change | undefined;
  for (;;) {
    terminal.writeNote(dim('[Enter] go on, [s]tep, [v]iew all, [e]dit, [q]uit the run > '));
    const line = await next();
    // Ctrl+D.
    if (line === undefined) return 'end';
    const [word = '', number] = line.trim().split(/\s+/);
    if (word === '' || word === 'c') return { isStepping: false, change };
    if (word === 's' || word === 'n') return { isStepping: true, change };
    if (word === 'q') return 'end';
    if (word === 'v') showStop(cli, stop, Number.POSITIVE_INFINITY);
    else if (word === 'e') change = (await edit(cli, stop, change, number)) ?? change;
    else terminal.note(`There is no ${JSON.stringify(visibleText(word))}. In a request, "e 2" edits its second message.`);
  }
}

/** @param most lines of each text */
function showStop(cli: Cli, stop: Stop, most: number): void {
  const { terminal } = cli;
  const { cyan, dim } = terminal.err;
  const show = (label: string, text: string) => {
    terminal.note(cyan(label));
    const lines = most === Number.POSITIVE_INFINITY ? visibleLines(text).split('\n') : fold(text, terminal.columns - 4, most);
    for (const line of lines) terminal.note(`    ${line}`);
  };
  switch (stop.at) {
    case 'model': {
      const { messages, tools = [] } = stop.request;
      for (const [index, message] of messages.entries()) show(`${index + 1} ${message.role}`, messageWeight(message));
      if (tools.length > 0) terminal.note(dim(`tools: ${tools.map(({ name }) => visibleText(name)).join(', ')}`));
      terminal.note(dim(`${visibleText(stop.request.model)}, about ${countText(stop.tokens)} tokens`));
      break;
    }
    case 'answer':
      show('answer', messageWeight({ role: 'assistant', content: stop.completion.blocks ?? stop.completion.text }));
      break;
    case 'tool':
      show('arguments', stop.call.input_text ?? toVisibleJson(stop.call.input));
      break;
    case 'tool_answer':
      show(stop.outcome.is_error ? 'error' : 'answer', stop.outcome.content);
      break;
    case 'finding': {
      const { message, issues = [], answer } = stop.finding;
      if (answer !== undefined) show('answer', answer);
      show(findingTitle(stop.finding), [message, ...issues.map(({ path, message: words }) => `${path} ${words}`.trim())].join('\n'));
      break;
    }
    case 'route':
      for (const [task, { status, output }] of Object.entries(stop.outcomes)) show(visibleText(`${task} ${status}`), toVisibleJson(output));
      show('context', toVisibleJson(stop.context));
      return;
  }
  const { used, cost_left } = stop;
  const cost = used.cost === null ? 'cost unknown' : usdText(used.cost);
  const left = cost_left === undefined ? '' : `, ${usdText(cost_left)} left`;
  terminal.note(dim(`so far ${plural(used.total_tokens, 'token')}, ${cost}${left}`));
}

/** The change with one more edit; undefined if there is none. */
async function edit(cli: Cli, stop: Stop, before: Change | undefined, number: string | undefined): Promise<Change | undefined> {
  const { terminal, env } = cli;
  try {
    if (stop.locked !== undefined) throw new UsageError(stop.locked);
    const editables = editablesAt(stop, before);
    const editable = editables[number === undefined || stop.at !== 'model' ? editables.length - 1 : Number(number) - 1];
    if (editable === undefined) throw new UsageError(`There is no message ${number}: the request has ${editables.length}.`);
    const command = env.VISUAL || env.EDITOR || (process.platform === 'win32' ? 'notepad' : 'vi');
    const changed = await editedAt(stop, editable, editText(editable.text, editable.name, command));
    terminal.note(
      changed ? terminal.err.yellow('Changed: the run is marked, and counts in no eval and no average.') : 'Nothing was changed.',
    );
    return changed;
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof InputInvalidError || error instanceof FileProblem)) throw error;
    terminal.note(terminal.err.red(visibleLines(error.message)));
    return undefined;
  }
}
