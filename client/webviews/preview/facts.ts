import { element } from '../../panels/page/page.js';
import type { FactsView } from '../../views/preview/messages.js';
import { copyButton, dollarRange, dollars, dollarsAtMost, number, type Post, type Words } from './page.js';

/** What a request comes to: tokens against the context window and the cost in one line, the rest below it. */
export function createFacts(words: Words, post: Post) {
  const list = element('dl');
  const strip = element('summary');
  const meter = element('div', { class: 'meter', role: 'meter', 'aria-label': words('tokens'), 'aria-valuemin': 0 });
  const chips = element('div', { class: 'defaults' });
  const box = element('details', {}, strip, list);
  const copyHash = copyButton(words, words('copyHash'), () => post({ type: 'copy', what: 'hash', index: 0 }));
  const row = (term: string, ...content: readonly (Node | string | undefined)[]) =>
    element('div', { class: 'fact' }, element('dt', {}, term), element('dd', {}, ...content));
  const count = ({ tokens: { total, isEstimated } }: FactsView) => (isEstimated ? words('about', number(total)) : number(total));

  /** The window as a bar: what the prompt takes, and what the answer may take. */
  const showMeter = (facts: FactsView): void => {
    const { contextWindow, outputLimit, tokens } = facts;
    meter.hidden = contextWindow === null;
    if (contextWindow === null) return;
    const share = (part: number) => Math.min(100, (part / contextWindow) * 100);
    const prompt = element('span', { class: 'prompt' });
    prompt.style.width = `${share(tokens.total)}%`;
    const answer = element('span', { class: 'answer' });
    answer.style.width = `${Math.min(share(outputLimit ?? 0), 100 - share(tokens.total))}%`;
    meter.classList.toggle('is-over', isOver(facts));
    meter.setAttribute('aria-valuemax', String(contextWindow));
    meter.setAttribute('aria-valuenow', String(Math.min(tokens.total, contextWindow)));
    meter.setAttribute('aria-valuetext', tokensText(facts));
    meter.title = tokensText(facts);
    meter.replaceChildren(prompt, answer);
  };
  const isOver = ({ contextWindow, outputLimit, tokens }: FactsView) =>
    contextWindow !== null && tokens.total + (outputLimit ?? 0) > contextWindow;
  const tokensText = (facts: FactsView): string => {
    const { contextWindow, outputLimit, tokens } = facts;
    if (contextWindow === null) return words('tokensAlone', count(facts));
    const percent = (tokens.total / contextWindow) * 100;
    const used = words('tokensOf', count(facts), number(contextWindow), number(percent, percent < 1 ? 2 : 1));
    return outputLimit === null ? used : `${used}, ${words('tokensAnswer', number(outputLimit))}`;
  };
  const cost = ({ cost: known, isFree }: FactsView): Node | string => {
    if (isFree) return words('costNone');
    if (known === null) return element('span', { class: 'muted' }, words('costUnknown'));
    if (known.most === null) return words('costOpen', dollars(known.input));
    return words('costMost', dollars(known.input), dollarsAtMost(known.most));
  };
  const range = ({ input, most }: NonNullable<FactsView['cost']>) => (most === null ? dollars(input) : dollarRange(input, most));
  const worst = ({ worst: most }: FactsView): string => {
    if (most === null) return '';
    const calls = words(most.calls === 1 ? 'worstCall' : 'worstCalls', number(most.calls));
    if (most.limit !== null) {
      const limit = dollarsAtMost(most.limit);
      return `${calls}, ${most.isBudget ? words('worstBudget', limit) : limit}`;
    }
    return `${calls}, ${words(most.unknown === 'output' ? 'worstNoLimit' : 'worstNoPrice')}`;
  };
  const stripParts = (facts: FactsView): (Node | string)[] => {
    const parts: (Node | string)[] = [element('span', { class: 'model' }, facts.model === '' ? words('noModel') : facts.model)];
    parts.push(words('tokensAlone', count(facts)));
    if (facts.isFree) parts.push(words('costNone'));
    else if (facts.worst !== null) parts.push(worst(facts));
    else if (facts.cost !== null) parts.push(words('about', range(facts.cost)));
    if (isOver(facts)) parts.push(element('strong', { class: 'over' }, words('overflow')));
    return parts.flatMap((part, index) => (index === 0 ? [part] : [' · ', part]));
  };
  const chip = ({ field, value }: FactsView['defaults'][number]) =>
    element(
      'button',
      {
        class: 'chip',
        type: 'button',
        title: words('defaultsHint'),
        onclick: () => post({ type: 'openPointer', pointer: `/defaults/${field.replaceAll('~', '~0').replaceAll('/', '~1')}` }),
      },
      element('span', { class: 'name' }, field),
      ` = ${value}`,
    );
  let shownDefaults = '';
  return {
    element: element('section', { class: 'facts', 'aria-label': words('facts') }, box, meter, chips),
    box,
    show(facts: FactsView): void {
      const { model, provider, profile, environment, hash, defaults } = facts;
      strip.replaceChildren(...stripParts(facts));
      showMeter(facts);
      list.replaceChildren(
        row(
          words('model'),
          model === '' ? words('noModel') : model,
          ` (${provider}${profile === null ? '' : `, ${words('profile', profile)}`})`,
        ),
        row(words('tokens'), tokensText(facts)),
        row(words('cost'), cost(facts)),
        ...(facts.tokens.tools === null ? [] : [row(words('ofTools'), words('tokensAlone', words('about', number(facts.tokens.tools))))]),
        ...(facts.worst === null ? [] : [row(words('worst'), worst(facts))]),
        row(words('environment'), environment),
        row(
          words('snapshot'),
          ...(hash === null ? [words('noSnapshot')] : [element('code', { title: hash, class: 'hash' }, hash.slice(0, 12)), ' ', copyHash]),
        ),
      );
      const key = JSON.stringify(defaults);
      if (key === shownDefaults) return;
      shownDefaults = key;
      chips.hidden = defaults.length === 0;
      chips.replaceChildren(element('span', { class: 'muted', title: words('defaultsHint') }, words('defaults')), ...defaults.map(chip));
    },
  };
}
