import { valueAt } from '../../json.js';
import { quoted } from '../../words.js';
import { oncePerInventory } from '../facts.js';
import type { ToolFile, ToolReport, ToolRule } from '../toolFiles.js';
import { isSettings, type LiveRule, liveRules, settingsIn } from './settings.js';

/** Programs that run what they are given, which Claude Code does not look into. */
const runners = /^(?:npx|bunx|direnv exec|devbox run|mise exec|docker exec)(?: -{1,2}[\w-]+)* \*$/;

/** Programs that open files by themselves. */
const interpreters = /^(?:python\d?|node|deno|bun|ruby|perl|php|tsx|ts-node|bash|sh|zsh)(?: \*|\*)?$/;

const fetchers = /^(?:curl|wget)\b.*\*$/;

/** What the rules of a folder say together. */
interface Together {
  readonly rules: readonly LiveRule[];
  /** Commands of rules that deny, and of those that deny or ask. */
  readonly held: Readonly<Record<'deny' | 'ask', ReadonlySet<string>>>;
  readonly deniedPath: LiveRule | undefined;
  readonly deniedFetch: LiveRule | undefined;
  /** Servers of which single tools are allowed. */
  readonly partlyAllowed: ReadonlyMap<string, LiveRule>;
  /** Whether commands run in the sandbox, where the system keeps them from files and hosts. */
  readonly hasSandbox: boolean;
}

const togetherIn = oncePerInventory(
  (inventory) =>
    new Map(
      [...liveRules(inventory)].map(([folder, rules]) => [folder, summarise(rules, settingsIn(inventory).get(folder) ?? [])] as const),
    ),
);

function summarise(rules: readonly LiveRule[], files: readonly ToolFile[]): Together {
  const denied = rules.filter(({ effect }) => effect === 'deny');
  return {
    rules,
    held: { deny: commandsOf(denied), ask: commandsOf(rules.filter(({ effect }) => effect !== 'allow')) },
    deniedPath: denied.find(({ rule }) => /^(?:Read|Edit)$/.test(rule.tool) && rule.specifier !== undefined),
    deniedFetch: denied.find(({ rule }) => rule.tool === 'WebFetch'),
    partlyAllowed: new Map(
      rules.flatMap((live) => {
        const server = live.effect === 'allow' ? /^mcp__[^*]+?__(?=[^_*][^*]*$)/.exec(live.rule.tool)?.[0] : undefined;
        return server === undefined ? [] : [[server, live] as const];
      }),
    ),
    hasSandbox: files.some(({ source }) => valueAt(source?.value, '/sandbox/enabled') === true),
  };
}

function commandsOf(rules: readonly LiveRule[]): ReadonlySet<string> {
  return new Set(rules.flatMap(({ rule }) => (rule.tool === 'Bash' ? [commandOf(rule.specifier)] : [])));
}

function commandOf(specifier: string | undefined): string {
  return specifier?.replace(/:\*$/, ' *') ?? '*';
}

/** A rule that allows more, or denies less, than it seems to. */
const permissionLoose: ToolRule = {
  code: 'claude-code/permission-loose',
  permits: 'loose',
  tool: 'claude-code',
  severity: 'warning',
  source: { address: 'https://code.claude.com/docs/en/permissions', date: '2026-11-27' },
  check(file, inventory, report) {
    const together = isSettings(file) ? togetherIn(inventory).get(file.folder) : undefined;
    if (together === undefined) return;
    for (const live of together.rules) {
      if (live.file !== file) continue;
      const { effect, rule, pointer } = live;
      if (effect !== 'allow') checkHeld(live, together, report);
      else if (rule.tool === 'Bash') checkAllowed(live, together, report);
      else if (/^mcp__[^*]+$/.test(rule.tool) || /^mcp__[^*]+__\*$/.test(rule.tool)) {
        const server = `${rule.tool.replace(/__\*$/, '')}__`;
        const part = together.partlyAllowed.get(server);
        if (part !== undefined)
          report({
            pointer,
            severity: 'info',
            message: `${quoted(rule.text)} allows every tool of the server, those included that it gets later, so ${quoted(part.name)} narrows nothing. Remove the one that is not meant.`,
            related: [{ file: part.file, pointer: part.pointer, message: 'The narrower rule is here.' }],
          });
      }
    }
  },
};

function checkHeld({ rule, pointer, effect, name }: LiveRule, { held }: Together, report: ToolReport): void {
  const command = commandOf(rule.specifier);
  if (rule.tool !== 'Bash' || effect === 'allow') return;
  const verb = effect === 'deny' ? 'denies' : 'asks for';
  if (/^(?:curl|wget) .*https?:\/\//.test(command))
    report({
      pointer,
      severity: 'info',
      message: `${quoted(name)} ${verb} only commands that are written like that: an option in front of the address, another protocol, a variable or a second space gets around it. Deny the program, and allow hosts with WebFetch(domain:HOST).`,
    });
  else if (/^[\w.-]+(?: [a-z][\w-]*)?$/.test(command)) {
    const program = command.split(' ', 1)[0] ?? '';
    const isCovered = [`${command} *`, `${command}*`, `${program} *`, `${program}*`, '*'].some((wider) => held[effect].has(wider));
    if (!isCovered)
      report({
        pointer,
        message: `${quoted(name)} ${verb} the command without any argument only: ${quoted(`${command} x`)} is another command. Write ${quoted(`Bash(${command} *)`)}, which means both.`,
      });
  }
}

function checkAllowed({ rule, pointer, name }: LiveRule, together: Together, report: ToolReport): void {
  const { deniedPath, deniedFetch, hasSandbox } = together;
  const command = commandOf(rule.specifier);
  const tell = (message: string, cause?: LiveRule, severity?: 'info') =>
    report({
      pointer,
      message,
      ...(severity !== undefined && { severity }),
      ...(cause !== undefined && {
        related: [{ file: cause.file, pointer: cause.pointer, message: 'The rule that it gets around is here.' }],
      }),
    });
  if (runners.test(command))
    tell(
      `${quoted(name)} allows any command: the program runs what follows, and Claude Code compares only the beginning. Write one rule for each command that it may run.`,
    );
  else if (/^\* ./.test(command))
    tell(`${quoted(name)} allows any program that is called with such an end. Write the program in front.`, undefined, 'info');
  else if (/^[\w.-]+\*$/.test(command))
    tell(
      `${quoted(name)} allows every program whose name begins like that. Write ${quoted(`Bash(${command.slice(0, -1)} *)`)} for this program alone.`,
    );
  if (hasSandbox) return;
  if (deniedPath !== undefined && (command === '*' || interpreters.test(command)))
    tell(
      `${quoted(name)} gets around ${quoted(deniedPath.name)}: rules for paths count for the file tools and for commands such as cat, not for files that a program opens itself. Turn on the sandbox, or let such programs ask.`,
      deniedPath,
    );
  if (deniedFetch !== undefined && (command === '*' || fetchers.test(command)))
    tell(
      `${quoted(name)} gets around ${quoted(deniedFetch.name)}: rules for WebFetch say nothing of commands that reach the network. Deny curl and wget, or let them ask.`,
      deniedFetch,
    );
}

export const looseRules: readonly ToolRule[] = [permissionLoose];
