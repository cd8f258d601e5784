import { expect, test } from 'vitest';
import { textOf } from './pages.js';

test.each(['docs/vscode.md', 'client/README.md'])('%s has a row for every setting', (page) => {
  const { configuration } = JSON.parse(textOf('package.json')).contributes;
  const rows = [...textOf(page).matchAll(/^\| `(agentStack\.[\w.]+)` \|/gm)].map(([, name]) => name!);
  expect(rows.toSorted()).toEqual(Object.keys(configuration.properties).toSorted());
});
