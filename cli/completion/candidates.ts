import type { Argument, Command, Option } from 'commander';
import { type CompletionSource, completers } from './values.js';

export interface Candidate {
  readonly value: string;
  readonly description: string;
}

export interface Candidates {
  /** Those that begin with the word. */
  readonly candidates: readonly Candidate[];
  /** Names of files complete the word as well. */
  readonly hasFiles: boolean;
}

interface Place {
  /** The command that the words before name, and the words that are its arguments. */
  readonly command: Command;
  readonly positionals: readonly string[];
  /** The option whose value comes next. */
  readonly pending: Option | undefined;
}

const files = /^(?:file|dir|folder|path)$/;

/**
 * What may replace the last word.
 *
 * @param program its command for the first word has been set up
 * @param words all words after the program's name; the last one may be empty
 */
export async function findCandidates(
  program: Command,
  words: readonly string[],
  source: Omit<CompletionSource, 'positionals'> | undefined,
): Promise<Candidates> {
  const word = words.at(-1) ?? '';
  const { command, positionals, pending } = locate(program, words.slice(0, -1));
  const [, name] = /^(--[^=]+)=/.exec(word) ?? [];
  const option = name === undefined ? pending : optionsOf(command).find(({ long }) => long === name);
  if (name !== undefined && option === undefined) return { candidates: [], hasFiles: false };
  const prefix = name === undefined ? '' : `${name}=`;
  if (option !== undefined) {
    const values = await valuesOf(option.long ?? '', option.argChoices);
    return { candidates: beginning(values, prefix), hasFiles: files.test(/<([^>.]+)/.exec(option.flags)?.[1] ?? '') };
  }
  if (word.startsWith('-')) {
    const options = optionsOf(command).map(({ long, description }) => ({ value: long ?? '', description }));
    return { candidates: beginning([...options, { value: '--help', description: 'show help' }]), hasFiles: false };
  }
  const commands = positionals.length > 0 ? [] : command.commands.filter((each) => !isHidden(each));
  const argument = argumentAt(command, positionals.length);
  const argumentValues = argument === undefined ? [] : await valuesOf(argument.name(), argument.argChoices);
  return {
    candidates: beginning([...commands.map((each) => ({ value: each.name(), description: each.summary() })), ...argumentValues]),
    hasFiles: argument !== undefined && files.test(argument.name()),
  };

  function beginning(all: readonly Candidate[], before = ''): readonly Candidate[] {
    return all.map(({ value, description }) => ({ value: `${before}${value}`, description })).filter(({ value }) => value.startsWith(word));
  }

  async function valuesOf(key: string, choices: readonly string[] | undefined): Promise<readonly Candidate[]> {
    const complete = completers[`${pathOf(command)} ${key}`] ?? completers[key];
    const values = choices ?? (complete && source && (await complete({ ...source, positionals }))) ?? [];
    return values.map((value) => ({ value, description: '' }));
  }
}

function locate(program: Command, words: readonly string[]): Place {
  let command = program;
  const positionals: string[] = [];
  let pending: Option | undefined;
  for (const word of words) {
    if (pending !== undefined) pending = undefined;
    else if (word.startsWith('-')) {
      const option = optionsOf(command).find(({ long, short }) => long === word || short === word);
      if (option?.required) pending = option;
    } else {
      const subcommand = positionals.length === 0 ? command.commands.find((each) => each.name() === word && !isHidden(each)) : undefined;
      if (subcommand === undefined) positionals.push(word);
      else command = subcommand;
    }
  }
  return { command, positionals, pending };
}

function argumentAt({ registeredArguments: all }: Command, index: number): Argument | undefined {
  const last = all.at(-1);
  return all[index] ?? (last?.variadic ? last : undefined);
}

/** Its own and those of the commands above it. */
function optionsOf(command: Command): readonly Option[] {
  const above = command.parent === null ? [] : optionsOf(command.parent);
  return [...command.options, ...above].filter(({ hidden, long }) => !hidden && long !== undefined);
}

function isHidden(command: Command): boolean {
  return command.parent !== null && !command.parent.createHelp().visibleCommands(command.parent).includes(command);
}

/** `new case`: without the program's name. */
function pathOf(command: Command): string {
  const above = command.parent === null ? '' : pathOf(command.parent);
  return command.parent === null ? '' : `${above} ${command.name()}`.trim();
}
