// The documents that are typed in, and the keystrokes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * An agent file of the corpus without a finding, and the places in it where a key is pressed again and again.
 *
 * @param text of the file; default: as it is on the disk
 */
export function typedIn(folder, path, text = readFileSync(join(folder, path), 'utf8')) {
  const uri = pathToFileURL(join(folder, path)).href;
  /** A character right after what `before` matches; pressing replaces it by another one and back. */
  const placeAfter = (before, other, faults = 0) => {
    const found = before.exec(text);
    if (found === null) throw new Error(`${path} has no ${before}`);
    const at = found.index + found[0].length;
    const line = text.slice(0, at).split('\n').length - 1;
    const character = at - text.lastIndexOf('\n', at - 1) - 1;
    return { line, character, right: text[at], other, faults };
  };
  const places = {
    /** Above its maximum, so that each press makes a finding or removes one. */
    number: placeAfter(/"top_p": /, '9', 1),
    prompt: placeAfter(/"system_text": "/, 'x'),
    // Of a field, or of the items of a list.
    enum: placeAfter(/"enum": \[\n +"/, 'x'),
    schema: placeAfter(/"description": "/, 'x'),
    broken: placeAfter(/"llm_config_id"/, '!', 1),
  };
  const number = places.number;
  return {
    uri,
    text,
    places,
    faulty: `${text.slice(0, text.indexOf('"top_p": ') + 9)}9${text.slice(text.indexOf('"top_p": ') + 10)}`,
    /** @param state `right` or `other` */
    press(client, place, state) {
      const { line, character, [state]: written } = places[place];
      client.change(uri, { start: { line, character }, end: { line, character: character + 1 } }, written);
    },
    /** In the key before the number. */
    keyAt: { line: number.line, character: number.character - 6 },
  };
}

/** The agent with so many output fields that its text has about this many bytes, as `large@v1`, without a finding. */
export function enlarged(folder, path, bytes) {
  const agent = { ...JSON.parse(readFileSync(join(folder, path), 'utf8')), agent_name: 'large', version: 'v1', mode: 'Writer' };
  const { properties, required } = agent.output_schema;
  let length = JSON.stringify(agent, null, 2).length;
  for (let at = 0; length < bytes; at++) {
    const name = `measured_${at}`;
    properties[name] = {
      type: at % 3 === 0 ? 'number' : 'string',
      description: `What was measured at place ${at}, exactly as the input says it.`,
    };
    required.push(name);
    // Both are indented by six spaces; the object's own lines by six more than here.
    length += JSON.stringify({ [name]: properties[name] }, null, 2).length + 4 * 6 + name.length + 10;
  }
  return `${JSON.stringify(agent, null, 2)}\n`;
}
