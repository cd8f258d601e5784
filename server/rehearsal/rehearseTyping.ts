import type { InitializeParams } from 'vscode-languageserver';
import { compileAtLeisure, compileEarly } from '../../core/node/compileEarly.js';
import type { AnyFeature } from '../feature.js';
import type { ServiceHost } from '../host.js';
import type { Workspace } from '../workspace.js';
import { Rehearsal, type Stroke } from './rehearsal.js';
import { findRehearsedFile } from './rehearsedFile.js';

export interface TypingOptions {
  readonly features: readonly AnyFeature[];
  /** What the client has sent with `initialize`. */
  readonly params: InitializeParams;
  readonly host: ServiceHost;
  readonly workspace: Workspace;
  /** How many messages of the client there have been. */
  readonly heard: () => number;
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** Milliseconds of this thread's time in all: with this much typing, V8 has compiled nearly everything that a keystroke goes through. */
const most = 250;
/** Milliseconds after the client was last heard during which nothing is done: less than a fast typist takes from one key to the next. */
const quiet = 25;
/** Milliseconds between two keystrokes, for what V8 compiles on other threads meanwhile. */
const gap = 2;

/**
 * Types in a copy of an agent file, out of everybody's sight, until V8 has made optimised code of what answers a keystroke. Otherwise it does so
 * while the user types, and keystrokes wait for their share of the processor. To be called once, when all files are known; it goes on only
 * while the client says nothing. What is typed is thrown away, and so is what is found.
 *
 * @returns how often it has typed; 0 where there is no agent file to type in
 */
export async function rehearseTyping({ features, params, host, workspace, heard, pause }: TypingOptions): Promise<number> {
  compileEarly();
  let spent = 0;
  let known = heard();
  const turn = async (act: () => Promise<void>) => {
    for (await pause(gap); heard() !== known; await pause(quiet)) known = heard();
    const start = host.clock.monotonic();
    await act();
    spent += host.clock.monotonic() - start;
  };
  let typed = 0;
  const file = findRehearsedFile(workspace, host);
  if (file !== undefined) {
    const rehearsal = new Rehearsal({ features, params, ...file });
    await turn(() => rehearsal.open());
    for (const stroke of strokesIn(file.text)) {
      await turn(() => rehearsal.type(stroke));
      typed += 1;
      if (spent >= most) break;
    }
  }
  compileAtLeisure();
  return typed;
}

/** Changes a character at the start of one value after the other and back, then puts one in front of each and takes it away, and so on. */
function* strokesIn(text: string): Generator<Stroke> {
  const places = [...text.matchAll(typedIn)].map(({ index, 0: { length } }) => index + length);
  while (places.length > 0) {
    for (const added of [0, 1]) {
      for (const start of places) {
        const before = text.charAt(start);
        yield { start, end: start + 1 - added, text: '0' <= before && before <= '9' ? '9' : 'e' };
        yield { start, end: start + 1, text: added === 0 ? before : '' };
      }
    }
  }
}

/** What stands before values that are texts or numbers, of fields on which nothing depends that takes long to find out. */
const typedIn =
  /^\s*"(?:agent_name|version|description|system_text|purpose_text|temperature|top_p|max_output_tokens)": *(?:"(?=\w)|(?=\d))/gm;
