import * as vscode from 'vscode';
import { isObject, type JsonObject, parseObject } from '../../../core/json.js';
import { shorten } from '../../../core/words.js';
import { contextWith } from './runPlans.js';
import { askText, type Choice, pickOne, takeSteps } from './steps.js';

interface Question {
  /** Of the orchestration. */
  readonly name: string;
  /** As its file has it. */
  readonly context: JsonObject;
  /** Keys of its input that its context does not have. */
  readonly required: readonly string[];
  /** Whether it may run with its context alone. */
  readonly isWhole: boolean;
  /** Names of its cases. */
  readonly cases: readonly string[];
  readonly readCase: (name: string) => Promise<JsonObject>;
  /** The llm profiles of the project. */
  readonly profiles: readonly { readonly id: string; readonly provider: unknown }[];
  /** Where the last input is stored. */
  readonly memory: vscode.Memento;
  /** Absolute path of the project. */
  readonly root: string;
}

interface Answer {
  /** Laid over the context of the file. */
  readonly input: JsonObject;
  /** For every agent; undefined for each its own. */
  readonly llm: string | undefined;
}

/** Inputs larger than this, in UTF-16 units of JSON, are not remembered. */
const largest = 100_000;

/** Asks for the input of an orchestration, and for its models. @returns undefined when the user cancelled */
export async function chooseContext(question: Question): Promise<Answer | undefined> {
  const { name, context, required, isWhole, cases, readCase, profiles, memory, root } = question;
  const title = vscode.l10n.t('Run {0}', name);
  const key = `agentStack.lastContext:${root}:${name}`;
  const last = memory.get(key);
  let isSaved = false;
  let input: JsonObject = {};
  let llm: string | undefined;

  const isDone = await takeSteps([
    async (canGoBack) => {
      for (;;) {
        const items: Choice<JsonObject | 'type' | (() => Promise<JsonObject>)>[] = [
          ...(isWhole
            ? [{ label: `$(json) ${vscode.l10n.t('With the context of the file')}`, description: excerpt(context), value: {} }]
            : []),
          ...cases.map((caseName) => ({ label: `$(beaker) ${caseName}`, value: () => readCase(caseName) })),
          ...(isObject(last) ? [{ label: `$(history) ${vscode.l10n.t('Last typed')}`, description: excerpt(last), value: last }] : []),
          { label: `$(edit) ${vscode.l10n.t('Change values...')}`, value: 'type' },
        ];
        const chosen = await pickOne({ title, placeholder: vscode.l10n.t('With which input?'), items, canGoBack });
        if (chosen === undefined || chosen === 'back') return chosen ?? 'cancel';
        if (chosen !== 'type') {
          isSaved = typeof chosen === 'function';
          input = typeof chosen === 'function' ? await chosen() : chosen;
          return 'next';
        }
        const typed = await typeContext(
          title,
          contextWith({ ...Object.fromEntries(required.map((key) => [key, ''])), ...context }, isObject(last) ? last : {}),
        );
        if (typed === undefined) return 'cancel';
        if (typed === 'back') continue;
        isSaved = false;
        input = typed;
        return 'next';
      }
    },
    async (canGoBack) => {
      if (profiles.length === 0) return 'skip';
      const ownProfiles = { label: vscode.l10n.t('Each agent with its own'), value: { llm: undefined as string | undefined } };
      const others = profiles.map(({ id, provider }) => ({
        label: id,
        description: provider === 'offline' ? vscode.l10n.t('simulated, needs no key') : String(provider ?? ''),
        value: { llm: id as string | undefined },
      }));
      const chosen = await pickOne({
        title,
        placeholder: vscode.l10n.t('With which llm profile?'),
        items: [ownProfiles, ...others],
        canGoBack,
      });
      if (chosen === undefined || chosen === 'back') return chosen ?? 'cancel';
      llm = chosen.llm;
      return 'next';
    },
  ]);
  if (!isDone) return undefined;
  if (!isSaved && Object.keys(input).length > 0 && JSON.stringify(input).length <= largest) await memory.update(key, input);
  return { input, llm };
}

async function typeContext(title: string, start: JsonObject): Promise<JsonObject | 'back' | undefined> {
  const typed = await askText({
    title,
    prompt: vscode.l10n.t('The context as a JSON object; what is left out is as in the file'),
    value: JSON.stringify(start),
    check: (text) => (parseObject(text) === undefined ? vscode.l10n.t('This is not a JSON object.') : undefined),
  });
  return typed === undefined || typed === 'back' ? typed : parseObject(typed.text);
}

function excerpt(context: JsonObject): string {
  const text = Object.entries(context)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' · ')
    .replaceAll(/\s+/g, ' ');
  return shorten(text, 60);
}
