// The documents that are typed in, and the keystrokes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** An agent file of the corpus in which nothing is wrong, with what a keystroke is in it. */
export function typedIn(folder, path, text = readFileSync(join(folder, path), 'utf8')) {
  const before = text.slice(0, text.indexOf('"top_p": ') + '"top_p": '.length);
  const line = before.split('\n').length - 1;
  const character = before.length - before.lastIndexOf('\n') - 1;
  const position = (at) => ({ line, character: character + at });
  const states = {
    right: text,
    schema: `${before}9${text.slice(before.length + 1)}`,
    syntax: `${before}!${text.slice(before.length + 1)}`,
  };
  const uri = pathToFileURL(join(folder, path)).href;
  return {
    uri,
    text,
    /** The text in each state: `right`, `schema` (a number above its maximum) or `syntax` (no JSON). They differ in one character. */
    states,
    press: (client, state) => client.change(uri, { start: position(0), end: position(1) }, states[state][before.length]),
    /** In the key of the value that is typed. */
    keyAt: { line, character: before.slice(before.lastIndexOf('\n') + 1).indexOf('"') + 3 },
  };
}

/** The agent with so many output fields that its text has about a megabyte, as `large@v1`: nothing is wrong in it either. */
export function enlarged(folder, path, bytes = 1_000_000) {
  const agent = { ...JSON.parse(readFileSync(join(folder, path), 'utf8')), agent_name: 'large', version: 'v1', mode: 'Writer' };
  const { properties, required } = agent.output_schema;
  for (let at = 0, size = 0; size < bytes; at++) {
    const name = `measured_${at}`;
    properties[name] = {
      type: at % 3 === 0 ? 'number' : 'string',
      description: `What was measured at place ${at}, exactly as the input says it.`,
    };
    required.push(name);
    size += JSON.stringify(properties[name], null, 2).length + 6 * 4 + 2 * name.length + 16;
  }
  return `${JSON.stringify(agent, null, 2)}\n`;
}
