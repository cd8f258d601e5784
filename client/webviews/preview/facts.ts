import type { FactsView } from '../../views/preview/messages.js';
import { element } from '../page.js';
import { copyButton, dollars, number, type Post, type Words } from './page.js';

/** Model, tokens against the context window, cost, snapshot and defaults. */
export function createFacts(words: Words, post: Post) {
  const list = element('dl');
  const copyHash = copyButton(words, words('copyHash'), () => post({ type: 'copy', what: 'hash', index: 0 }));
  const row = (term: string, ...content: readonly (Node | string | undefined)[]) =>
    element('div', { class: 'fact' }, element('dt', {}, term), element('dd', {}, ...content));

  const tokens = ({ tokens: { total, isEstimated }, contextWindow, outputLimit }: FactsView) => {
    const count = isEstimated ? words('about', number(total)) : number(total);
    if (contextWindow === null) return [words('tokensAlone', count)];
    const share = (part: number) => Math.min(100, (part / contextWindow) * 100);
    const answer = outputLimit ?? 0;
    const text = words(
      'tokensOf',
      count,
      number(contextWindow),
      number((total / contextWindow) * 100, total / contextWindow < 0.01 ? 2 : 1),
    );
    const prompt = element('span', { class: 'prompt' });
    prompt.style.width = `${share(total)}%`;
    const reserved = element('span', { class: 'answer' });
    reserved.style.width = `${Math.min(share(answer), 100 - share(total))}%`;
    const isOver = total + answer > contextWindow;
    const meter = {
      class: isOver ? 'meter is-over' : 'meter',
      role: 'meter',
      'aria-label': words('tokens'),
      'aria-valuemin': 0,
      'aria-valuemax': contextWindow,
      'aria-valuenow': Math.min(total, contextWindow),
      'aria-valuetext': text,
    };
    const limit = outputLimit === null ? undefined : element('span', { class: 'muted' }, ` ${words('tokensAnswer', number(outputLimit))}`);
    const over = isOver ? element('strong', { class: 'over' }, ` ${words('overflow')}`) : undefined;
    return [element('div', meter, prompt, reserved), element('span', {}, text), limit, over];
  };
  const cost = ({ cost: known }: FactsView) => {
    if (known === null) return element('span', { class: 'muted' }, words('costUnknown'));
    if (known.most === null) return words('costOpen', dollars(known.input));
    return words('costMost', dollars(known.input), dollars(known.most));
  };
  const model = ({ model: name, provider, profile }: FactsView) => [
    name === '' ? words('noModel') : name,
    element('span', { class: 'muted' }, ` ${provider}${profile === null ? '' : ` · ${words('profile', profile)}`}`),
  ];
  const snapshot = ({ hash }: FactsView) =>
    hash === null
      ? [element('span', { class: 'muted' }, words('noSnapshot'))]
      : [element('code', { title: hash, class: 'hash' }, hash.slice(0, 12)), ' ', copyHash];
  const defaults = ({ defaults: given }: FactsView) =>
    given.map(({ field, value }) =>
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
      ),
    );
  return {
    element: element('section', { class: 'facts', 'aria-label': words('tokens') }, list),
    show(facts: FactsView): void {
      const rows = [
        row(words('model'), ...model(facts)),
        row(words('tokens'), ...tokens(facts)),
        row(words('cost'), cost(facts)),
        row(words('environmentFact'), facts.environment),
        row(words('snapshot'), ...snapshot(facts)),
      ];
      if (facts.defaults.length > 0) rows.push(row(words('defaults'), ...defaults(facts)));
      // Who is on a button here stays on it.
      const focused = [...list.querySelectorAll('button')].indexOf(document.activeElement as HTMLButtonElement);
      list.replaceChildren(...rows);
      if (focused >= 0) list.querySelectorAll('button')[focused]?.focus();
    },
  };
}
