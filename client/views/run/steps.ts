import * as vscode from 'vscode';

/** How a step ended: `next` continues, `skip` continues without being a step to go back to, `done` leaves out all that follow. */
export type StepEnd = 'next' | 'skip' | 'done' | 'back' | 'cancel';

/** Asks one thing and keeps the answer itself. */
export type Step = (canGoBack: boolean) => Promise<StepEnd>;

/** Asks one thing after the other, with a way back. @returns false when it was cancelled */
export async function takeSteps(steps: readonly Step[]): Promise<boolean> {
  const askedSteps: number[] = [];
  let at = 0;
  for (;;) {
    const step = steps[at];
    if (step === undefined) return true;
    const end = await step(askedSteps.length > 0);
    if (end === 'done') return true;
    if (end === 'cancel') return false;
    if (end === 'back') at = askedSteps.pop() ?? 0;
    else {
      if (end === 'next') askedSteps.push(at);
      at += 1;
    }
  }
}

export interface Choice<Value> extends vscode.QuickPickItem {
  /** Absent on separators. */
  readonly value?: Value;
}

export interface Pick<Value> {
  readonly title: string;
  readonly placeholder: string;
  readonly items: readonly Choice<Value>[];
  readonly canGoBack: boolean;
  /** The item that Enter takes. Default: the first. */
  readonly active?: (value: Value) => boolean;
}

/** One pick of a list. */
export function pickOne<Value>({ title, placeholder, items, canGoBack, active }: Pick<Value>): Promise<Value | 'back' | undefined> {
  const pick = vscode.window.createQuickPick<Choice<Value>>();
  pick.title = title;
  pick.placeholder = placeholder;
  pick.matchOnDescription = true;
  pick.items = items;
  const first = active && items.find(({ value }) => value !== undefined && active(value));
  if (first !== undefined) pick.activeItems = [first];
  if (canGoBack) pick.buttons = [vscode.QuickInputButtons.Back];
  return new Promise((resolve) => {
    pick.onDidAccept(() => {
      const [chosen] = pick.selectedItems;
      if (chosen?.value === undefined) return;
      resolve(chosen.value);
      pick.hide();
    });
    pick.onDidTriggerButton(() => {
      resolve('back');
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

export interface Box {
  readonly title: string;
  readonly prompt: string;
  readonly value: string;
  /** What is wrong with a value, or undefined. */
  readonly check: (value: string) => string | undefined;
}

/** One line of text, with a way back. */
export function askText({ title, prompt, value, check }: Box): Promise<{ readonly text: string } | 'back' | undefined> {
  const box = vscode.window.createInputBox();
  box.title = title;
  box.prompt = prompt;
  box.value = value;
  box.buttons = [vscode.QuickInputButtons.Back];
  return new Promise((resolve) => {
    box.onDidChangeValue((text) => {
      // While the user types, only an earlier message is removed.
      if (box.validationMessage !== undefined && box.validationMessage !== '') box.validationMessage = check(text);
    });
    box.onDidAccept(() => {
      box.validationMessage = check(box.value);
      if (box.validationMessage !== undefined) return;
      resolve({ text: box.value });
      box.hide();
    });
    box.onDidTriggerButton(() => {
      resolve('back');
      box.hide();
    });
    box.onDidHide(() => {
      resolve(undefined);
      box.dispose();
    });
    box.show();
  });
}
