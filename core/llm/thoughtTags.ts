import type { AssistantBlock, Completion } from './types.js';

// Servers of reasoning models that do not separate thoughts put them before the answer: between tags, with the closing tag alone, or in
// channels (gpt-oss). They are not part of the answer, and their content is never executed.

const opening = /^\s*(?:<(think|thinking|thought|thoughts|reasoning)>|\[THINK\])/i;
/** A quoted tag is only mentioned. */
const closing = /(?<![`"'])(?:<\/(?:think|thinking|thought|thoughts|reasoning)>|\[\/THINK\])/gi;
const channel = '<|channel|>';
const finalChannel = '<|channel|>final<|message|>';
const marks = /<\|(?:start|end|return|channel|message|call|constrain)\|>(?:assistant|analysis|commentary|final)?/g;

/** Where the answer begins after the thoughts in a text: 0 without thoughts, the length without an answer. */
export function answerStart(text: string): number {
  if (!text.includes('>') && !text.includes(']')) return 0;
  if (text.includes(channel)) {
    const final = text.lastIndexOf(finalChannel);
    return final < 0 ? text.length : final + finalChannel.length;
  }
  const last = [...text.matchAll(closing)].at(-1);
  if (last !== undefined) return isJson(text) ? 0 : last.index + last[0].length;
  return opening.test(text) ? text.length : 0;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function withoutMarks(thought: string): string {
  return thought.replace(opening, '').replaceAll(closing, '').replaceAll(marks, '').trim();
}

/** A completion with the thoughts in its text as separate blocks. */
export function separateThoughts(completion: Completion): Completion {
  const { text, blocks = [{ type: 'text', text }] } = completion;
  const separated = blocks.flatMap((block): readonly AssistantBlock[] => {
    const start = block.type === 'text' ? answerStart(block.text) : 0;
    if (block.type !== 'text' || start === 0) return [block];
    const thought = withoutMarks(block.text.slice(0, start));
    const answer = block.text.slice(start).replaceAll(marks, '').trimStart();
    return [...(thought === '' ? [] : [{ type: 'thinking', text: thought } as const]), { type: 'text', text: answer }];
  });
  if (separated.length === blocks.length && separated.every((block, index) => block === blocks[index])) return completion;
  return { ...completion, blocks: separated, text: separated.map((block) => (block.type === 'text' ? block.text : '')).join('') };
}

export interface TextPart {
  readonly type: 'text' | 'thinking';
  readonly text: string;
}

/**
 * Separates thoughts from a text while it arrives. Text that only a closing tag reveals as a thought has already been passed on; it is then
 * passed on once more, as a thought. Each piece is read once, however much has arrived before it.
 */
export class ThoughtReader {
  #state: 'start' | 'thinking' | 'text' = 'start';
  /** What has not been passed on: it may be part of a tag. */
  #held = '';
  /** Whether that is white space only, which precedes both tags and answers. */
  #isBlank = true;
  /** The text that has been passed on, to be read only when a closing tag reveals it as a thought. */
  #passed = '';
  /** Its end, where a closing tag may begin. */
  #end = '';
  /** Whether the text is JSON, in which a tag is part of a value. */
  #isJson = false;
  #isAnswerBegun = false;

  push(piece: string): readonly TextPart[] {
    this.#held += piece;
    const parts: TextPart[] = [];
    if (this.#isBlank && piece.trim() === '') return parts;
    this.#isBlank = false;
    while (this.#step(parts));
    return parts;
  }

  /** The remaining parts, when the text has ended. */
  end(): readonly TextPart[] {
    const pending = this.#held;
    this.#held = '';
    if (pending === '') return [];
    return [{ type: this.#state === 'thinking' ? 'thinking' : 'text', text: pending }];
  }

  /** @returns whether there may be more to pass on */
  #step(parts: TextPart[]): boolean {
    if (this.#state === 'start') return this.#begin(parts);
    if (this.#state === 'thinking') return this.#think(parts);
    const piece = this.#held;
    this.#held = '';
    const latest = this.#end + piece;
    const tag = this.#isJson ? undefined : closingIn(latest, this.#end.length);
    this.#passed += piece;
    if (tag === undefined) {
      this.#end = latest.slice(-longestTag);
      if (piece !== '') parts.push({ type: 'text', text: piece });
      return false;
    }
    const start = this.#passed.length - latest.length + tag.start;
    parts.push({ type: 'thinking', text: withoutMarks(this.#passed.slice(0, start)) });
    this.#answer(latest.slice(tag.end));
    return true;
  }

  #begin(parts: TextPart[]): boolean {
    const tag = opening.exec(this.#held);
    if (tag !== null || this.#held.trimStart().startsWith(channel)) {
      this.#state = 'thinking';
      this.#held = tag === null ? this.#held : this.#held.slice(tag[0].length);
      return true;
    }
    if (mayOpen(this.#held)) {
      this.#isBlank = this.#held.trim() === '';
      return false;
    }
    this.#state = 'text';
    if (this.#isAnswerBegun) this.#held = this.#held.trimStart();
    this.#passed = '';
    this.#end = '';
    this.#isJson = /^\s*[[{]/.test(this.#held);
    return this.#step(parts);
  }

  #think(parts: TextPart[]): boolean {
    const final = this.#held.indexOf(finalChannel);
    const tag = final < 0 ? closingIn(this.#held, 0) : { start: final, end: final + finalChannel.length };
    if (tag !== undefined) {
      const thought = this.#held.slice(0, tag.start).replaceAll(marks, '');
      if (thought.trim() !== '') parts.push({ type: 'thinking', text: thought });
      this.#answer(this.#held.slice(tag.end));
      return true;
    }
    const stop = beginningOfTag(this.#held);
    const thought = this.#held.slice(0, stop).replaceAll(marks, '');
    this.#held = this.#held.slice(stop);
    if (thought !== '') parts.push({ type: 'thinking', text: thought });
    return false;
  }

  /** An answer begins after a tag; white space before it is not part of it. */
  #answer(rest: string): void {
    this.#state = 'start';
    this.#isAnswerBegun = true;
    this.#held = rest;
  }
}

/** Whether a text may continue to an opening tag. */
function mayOpen(text: string): boolean {
  const begun = text.trimStart().slice(0, longestTag).toLowerCase();
  return begun === '' || tags.some((tag) => tag.startsWith(begun));
}

const tags = ['<think>', '<thinking>', '<thought>', '<thoughts>', '<reasoning>', '[think]', channel];

/** Where a possible start of a tag at the end of a thought begins: it is held back until the rest arrives. */
function beginningOfTag(text: string): number {
  for (let size = Math.min(text.length, finalChannel.length - 1); size > 0; size--) {
    if (text.endsWith(finalChannel.slice(0, size))) return text.length - size;
  }
  const begun = /(?:<\|?[a-z]*\|?|<\|(?:start|channel)\|>[a-z]*|<\/[a-z]*|\[\/?[a-z]*)$/i.exec(text.slice(-32));
  return begun === null ? text.length : text.length - begun[0].length;
}

/** A closing tag is shorter, with the character before it, which shows whether it is quoted. */
const longestTag = 16;

/** The first closing tag that ends after `from`. */
function closingIn(text: string, from: number): { readonly start: number; readonly end: number } | undefined {
  for (const { index, 0: tag } of text.matchAll(closing)) {
    const end = index + tag.length;
    if (end > from) return { start: index, end };
  }
  return undefined;
}
