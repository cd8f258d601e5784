import { codeNodes } from '../../panels/page/code.js';
import { element } from '../../panels/page/page.js';
import type { ToolsView, ToolView } from '../../views/preview/messages.js';
import type { Post, Words } from './page.js';

/** The tools of the agent, each with what the model is told of it, and the servers not yet listed. */
export function createTools(words: Words, post: Post) {
  const place = element('div');
  const originWord = (origin: string) => (origin === 'built-in' ? words('builtIn') : origin === 'skill' ? words('skill') : origin);

  const toItem = ({ name, origin, description, parameters, place: file }: ToolView, index: number) => {
    const source =
      file === null
        ? undefined
        : element('button', { class: 'link', type: 'button', onclick: () => post({ type: 'openTool', index }) }, words('toolSource', file));
    return element(
      'li',
      { class: 'tool' },
      element('h2', { class: 'mono' }, name),
      ' ',
      element('span', { class: 'tag' }, originWord(origin)),
      ' ',
      source,
      element('p', {}, description),
      element(
        'details',
        {},
        element('summary', {}, words('parameters')),
        element('pre', { class: 'code' }, ...codeNodes(parameters, 'json')),
      ),
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
            words('unlisted', server),
            ' ',
            element(
              'button',
              { class: 'secondary', type: 'button', onclick: () => post({ type: 'do', action: 'listTools' }) },
              words('listTools'),
            ),
          ),
        );
      }
      if (view.isInText) place.append(element('p', { class: 'muted' }, words('toolsInText')));
      if (view.tools.length === 0) place.append(element('p', { class: 'muted' }, words('toolsNone')));
      place.append(element('ul', { class: 'tools-list' }, ...view.tools.map(toItem)));
    },
  };
}
