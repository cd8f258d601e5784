import { t } from '../../page/l10n.js';
import { button, copyButton, element } from '../../page/page.js';
import { count, dollarRange, dollars, dollarsAtMost, language } from '../../page/words.js';
import type { FactsView, Post } from '../messages.js';

/** The size of a request: tokens against the context window and the cost in one line, the rest below it. */
export function createFacts(post: Post) {
  const list = element('dl');
  const strip = element('summary');
  const meter = element('div', { class: 'meter', role: 'meter', 'aria-label': t('Tokens'), 'aria-valuemin': 0 });
  const chips = element('div', { class: 'defaults' });
  const box = element('details', {}, strip, list);
  const copyHash = copyButton(t('Copy the hash'), () => post({ type: 'copy', what: 'hash', index: 0 }));
  const row = (term: string, ...content: readonly (Node | string | undefined)[]) =>
    element('div', { class: 'fact' }, element('dt', {}, term), element('dd', {}, ...content));
  const tokenCount = ({ tokens: { total, isEstimated } }: FactsView) => (isEstimated ? t('about {0}', count(total)) : count(total));

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
    if (contextWindow === null) return t('{0} tokens', tokenCount(facts));
    const percent = (tokens.total / contextWindow) * 100;
    const percentText = percent.toLocaleString(language, { maximumFractionDigits: percent < 1 ? 2 : 1 });
    const used = t('{0} of {1} tokens ({2} %)', tokenCount(facts), count(contextWindow), percentText);
    return outputLimit === null ? used : `${used}, ${t('and at most {0} for the answer', count(outputLimit))}`;
  };
  const costText = ({ cost, isFree }: FactsView): Node | string => {
    if (isFree) return t('no cost: no model is asked');
    if (cost === null) return element('span', { class: 'muted' }, t('The price of this model is not known.'));
    const { input, typical, most } = cost;
    return [
      t('{0} for the prompt', dollars(input)),
      ...(typical === null ? [] : [t('typically {0} with the answer', dollars(typical))]),
      most === null ? t('no limit for the answer') : t('at most {0}', dollarsAtMost(most)),
    ].join(', ');
  };
  const about = ({ input, typical, most }: NonNullable<FactsView['cost']>) =>
    typical !== null ? dollars(typical) : most === null ? dollars(input) : dollarRange(input, most);
  const worstText = ({ worst: most }: FactsView): string => {
    if (most === null) return '';
    const calls = most.calls === 1 ? t('at most {0} call', count(1)) : t('at most {0} calls', count(most.calls));
    if (most.limit !== null) {
      const limit = dollarsAtMost(most.limit);
      return `${calls}, ${most.isBudget ? t('{0} (budget)', limit) : limit}`;
    }
    return `${calls}, ${most.unknown === 'output' ? t('length of an answer unknown') : t('price of the model unknown')}`;
  };
  const stripParts = (facts: FactsView): (Node | string)[] => {
    const parts: (Node | string)[] = [element('span', { class: 'model' }, facts.model === '' ? t('none') : facts.model)];
    parts.push(t('{0} tokens', tokenCount(facts)));
    if (facts.isFree) parts.push(t('no cost: no model is asked'));
    else if (facts.worst !== null) parts.push(worstText(facts));
    else if (facts.cost !== null) parts.push(t('about {0}', about(facts.cost)));
    if (isOver(facts)) parts.push(element('strong', { class: 'over' }, t('More than the context window holds')));
    return parts.flatMap((part, index) => (index === 0 ? [part] : [' · ', part]));
  };
  const chip = ({ field, value }: FactsView['defaults'][number]) =>
    button(
      {
        class: 'chip',
        title: t('What a field gets when the answer leaves it out'),
        onclick: () => post({ type: 'openPointer', pointer: `/defaults/${field.replaceAll('~', '~0').replaceAll('/', '~1')}` }),
      },
      element('span', { class: 'name' }, field),
      ` = ${value}`,
    );
  let defaultsKey = '';
  return {
    element: element('section', { class: 'facts', 'aria-label': t('Size and cost') }, box, meter, chips),
    box,
    show(facts: FactsView): void {
      const { model, provider, profile, environment, hash, defaults } = facts;
      strip.replaceChildren(...stripParts(facts));
      showMeter(facts);
      list.replaceChildren(
        row(t('Model'), model === '' ? t('none') : model, ` (${provider}${profile === null ? '' : `, ${t('profile {0}', profile)}`})`),
        row(t('Tokens'), tokensText(facts)),
        row(t('Cost'), costText(facts)),
        ...(facts.tokens.tools === null ? [] : [row(t('Of these, tools'), t('{0} tokens', t('about {0}', count(facts.tokens.tools))))]),
        ...(facts.worst === null ? [] : [row(t('Whole run'), worstText(facts))]),
        row(t('Environment'), environment),
        row(
          t('Snapshot'),
          ...(hash === null
            ? [t('none: the config contains what looks like a secret')]
            : [element('code', { title: hash, class: 'hash' }, hash.slice(0, 12)), ' ', copyHash]),
        ),
      );
      const key = JSON.stringify(defaults);
      if (key === defaultsKey) return;
      defaultsKey = key;
      chips.hidden = defaults.length === 0;
      chips.replaceChildren(
        element('span', { class: 'muted', title: t('What a field gets when the answer leaves it out') }, t('Defaults')),
        ...defaults.map(chip),
      );
    },
  };
}
