import { codeNodes } from '../../page/code.js';
import { t } from '../../page/l10n.js';
import { button, element } from '../../page/page.js';
import { originWord } from '../../page/words.js';
import type { Post, ToolsView, ToolView } from '../messages.js';

/** The tools of the agent, each as described to the model, and the servers not yet listed. */
export function createTools(post: Post) {
  const place = element('div');

  const toItem = ({ name, origin, description, parameters, place: file }: ToolView, index: number) => {
    const source =
      file === null ? undefined : button({ class: 'link', onclick: () => post({ type: 'openTool', index }) }, t('Show in {0}', file));
    return element(
      'li',
      { class: 'tool' },
      element('h2', { class: 'mono' }, name),
      ' ',
      element('span', { class: 'tag' }, originWord(origin)),
      ' ',
      source,
      element('p', {}, description),
      element('details', {}, element('summary', {}, t('Parameters')), element('pre', { class: 'code' }, ...codeNodes(parameters, 'json'))),
    );
  };

  return {
    element: place,
    show(view: ToolsView | null): void {
      place.replaceChildren();
      if (view === null) return;
      for (const server of view.unlisted) {
        place.append(
          element(
            'p',
            { class: 'unlisted' },
            t('The tools of {0} have not been listed yet: a run takes what is listed then.', server),
            ' ',
            button({ class: 'secondary', onclick: () => post({ type: 'do', action: 'listTools' }) }, t('List Tools')),
          ),
        );
      }
      if (view.isInText)
        place.append(element('p', { class: 'muted' }, t('With tool_protocol "text" the tools are in the prompt; the request has none.')));
      if (view.tools.length === 0)
        place.append(element('p', { class: 'muted' }, t('No tools: no server has listed any yet, and none of those listed is chosen.')));
      place.append(element('ul', { class: 'tools-list' }, ...view.tools.map(toItem)));
    },
  };
}
