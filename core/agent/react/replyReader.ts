export type ReplyLabel = 'thought' | 'action' | 'input' | 'observation' | 'answer';

/** A part of a reply under one label. Text before the first label is a thought. */
export interface ReplySection {
  readonly label: ReplyLabel;
  /** Where the line of its label starts, in UTF-16 units. */
  readonly start: number;
  /** Without the label; white space around it is included. */
  text: string;
}

export interface ReplyPiece {
  readonly label: ReplyLabel;
  readonly text: string;
}

const words = '(thoughts?|action[ _]?input|action|observation|final[ _]?answer)';
/**
 * `Thought:`, `**Final Answer:** `, `> action input 2 :`, `Observation 1 (search):`. All repetitions are bounded, so matching takes constant
 * time.
 */
const labelled = new RegExp(
  `^[ \\t>#*_]{0,8}${words}[ \\t]{0,2}\\d{0,3}(?:[ \\t]{0,2}\\([^)\\n]{0,80}\\))?[*_]{0,3}[ \\t]{0,2}[:\\uff1a][*_]{0,3}[ \\t]{0,8}`,
  'i',
);
/** A heading or a bold line of its own: `### Final Answer`, `**Thought**`. */
const headed = new RegExp(`^[ \\t]{0,3}(?:#{1,4} {1,4}|\\*\\*)${words}(?:\\*\\*)?[ \\t\\r]*$`, 'i');
const spelled = ['thoughts', 'actioninput', 'observation', 'finalanswer'];
const fence = /^[ \t]{0,8}(?:`{3}|~{3})/;
const startOfFence = /^[ \t]{0,8}(?:`{1,2}|~{1,2})$/;
/** A longer start of a line is not a label. */
const longestLabel = 130;

/**
 * Splits a reply of the text protocol by its labels while it arrives. A label is at the start of a line, in any letter case, with or
 * without Markdown around it; inside a code fence of an answer or an input nothing is a label. Linear in the length of the reply.
 */
export class ReplyReader {
  readonly sections: ReplySection[] = [{ label: 'thought', start: 0, text: '' }];
  /** The start of the current line, held back until it is certain not to be a label. */
  #line = '';
  #isKnown = false;
  #lineStart = 0;
  #read = 0;
  /** A line break is passed on only with what follows it, so that no section ends with one. */
  #breaks = '';
  #inFence = false;
  #pieces: ReplyPiece[] = [];

  push(text: string): readonly ReplyPiece[] {
    this.#pieces = [];
    for (let from = 0; from < text.length; ) {
      const lineEnd = text.indexOf('\n', from);
      const stop = lineEnd < 0 ? text.length : lineEnd;
      this.#part(text.slice(from, stop));
      from = stop;
      if (lineEnd < 0) break;
      from = lineEnd + 1;
      this.#endLine();
      this.#breaks += '\n';
      this.#lineStart = this.#read + from;
    }
    this.#read += text.length;
    return this.#pieces;
  }

  /** The remaining pieces, when the reply has ended. */
  end(): readonly ReplyPiece[] {
    this.#pieces = [];
    this.#endLine();
    return this.#pieces;
  }

  #part(text: string): void {
    if (this.#isKnown) {
      this.#add(text);
      return;
    }
    this.#line += text;
    const label = this.#isVerbatim() ? null : labelled.exec(this.#line);
    // While nothing follows the colon, the next characters may still belong to the label, as in `**Thought:** `.
    if (label && label[0].length < this.#line.length) this.#open(label);
    else if (!this.#mayBecomeLabel()) this.#release();
  }

  #endLine(): void {
    if (!this.#isKnown) {
      const label = this.#isVerbatim() ? null : (labelled.exec(this.#line) ?? headed.exec(this.#line));
      if (label) this.#open(label);
      // Also a fence after a label, which is held back like all others.
      if (!this.#isKnown) this.#release();
    }
    this.#line = '';
    this.#isKnown = false;
  }

  #isVerbatim(): boolean {
    return this.#inFence || fence.test(this.#line);
  }

  #mayBecomeLabel(): boolean {
    const line = this.#line;
    // A fence is read as a whole line, since it may end on the same line.
    if (fence.test(line) || startOfFence.test(line)) return true;
    if (this.#inFence) return line.trim() === '' && line.length < longestLabel;
    if (line.length > longestLabel) return false;
    const bare = line
      .replace(/^[ \t>#*_]{0,8}/, '')
      .replace(/[ _]/g, '')
      .toLowerCase();
    if (bare === '') return true;
    return (
      spelled.some((word) => word.startsWith(bare)) ||
      /^(?:thoughts?|action(?:input)?|observation|finalanswer)\d{0,3}(?:\([^)]*\)?)?[*\s:\uff1a]*$/.test(bare)
    );
  }

  #open(label: RegExpExecArray): void {
    this.#inFence = false;
    this.#breaks = '';
    this.sections.push({ label: toLabel(label[1] ?? ''), start: this.#lineStart, text: '' });
    this.#line = this.#line.slice(label[0].length);
    // A fence after a label (`Action Input: ```json`) is held back until its line is complete.
    if (!fence.test(this.#line) && !startOfFence.test(this.#line)) this.#release();
  }

  #release(): void {
    if (fence.test(this.#line)) this.#toggleFence(this.#line);
    this.#isKnown = true;
    this.#add(this.#line);
  }

  #toggleFence(line: string): void {
    const { label } = this.#section;
    if (label !== 'answer' && label !== 'input') return;
    const marks = line.match(/`{3,}|~{3,}/g)?.length ?? 0;
    if (marks % 2 === 1) this.#inFence = !this.#inFence;
  }

  get #section(): ReplySection {
    const last = this.sections.at(-1);
    if (last === undefined) throw new Error('A reply has at least one section.');
    return last;
  }

  #add(text: string): void {
    if (text === '') return;
    const section = this.#section;
    const fullText = section.text === '' ? text : this.#breaks + text;
    this.#breaks = '';
    section.text += fullText;
    this.#pieces.push({ label: section.label, text: fullText });
  }
}

function toLabel(word: string): ReplyLabel {
  const name = word.toLowerCase().replace(/[ _]/g, '');
  if (name === 'actioninput') return 'input';
  if (name === 'finalanswer') return 'answer';
  return name === 'action' || name === 'observation' ? name : 'thought';
}
