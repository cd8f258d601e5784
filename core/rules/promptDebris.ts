import { promptTexts } from '../generated/fields.js';
import { isObject, type JsonObject, pointerOf } from '../json.js';
import { quoted } from '../words.js';
import type { Report, Rule } from './rule.js';

/** Left-over generation text in a text for a model: elisions, end marks, notes to oneself, unfilled blanks, chat tokens, fences. */
export const promptDebris: Rule = {
  code: 'prompt-debris',
  severity: 'warning',
  kinds: ['agent', 'persona', 'llm', 'prompt', 'system'],
  on: 'value',
  check({ value, identity }, _context, report) {
    if (!isObject(value)) return;
    checkFragment(value, [], report);
    if (identity.kind !== 'system') return;
    for (const section of ['agent_defaults', 'persona_defaults']) checkFragment(value[section], [section], report);
    for (const section of ['agents', 'llms']) {
      const fragments = value[section];
      if (!isObject(fragments)) continue;
      for (const [name, fragment] of Object.entries(fragments)) checkFragment(fragment, [section, name], report);
    }
  },
};

function checkFragment(fragment: unknown, path: readonly string[], report: Report): void {
  if (!isObject(fragment)) return;
  for (const field of promptTexts) {
    const text = (fragment as JsonObject)[field];
    if (typeof text !== 'string') continue;
    for (const { start, end, kind, message } of findDebris(text)) {
      report({
        pointer: pointerOf(...path, field),
        within: { start, end },
        message: `${message}: ${quoted(text.slice(start, end))}.`,
        data: { kind, start, end },
      });
    }
  }
}

interface Debris {
  readonly kind: 'elision' | 'end-mark' | 'note' | 'blank' | 'preamble' | 'chat-token' | 'fence';
  /** A description, without the text itself. */
  readonly message: string;
  /** UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/**
 * Left-over generation text, in order of place. Precise rather than complete: ordinary prose is not reported, such as a prompt that asks for
 * a to-do list, explains delimiters it uses in pairs, or quotes such a word. Linear in the length of the text.
 */
export function findDebris(text: string): readonly Debris[] {
  const debris: Debris[] = [];
  for (const { kind, message, hint, pattern, accepts } of shapes) {
    if (!hint.test(text)) continue;
    for (const match of text.matchAll(pattern)) {
      if (accepts?.(text, match) === false) continue;
      const start = match.index + (match.groups?.before?.length ?? 0);
      debris.push({ kind, message, start, end: match.index + match[0].length });
      if (debris.length >= mostFindings) return withoutOverlaps(debris);
    }
  }
  return debris.length === 0 ? debris : withoutOverlaps(debris);
}

/** Maximum findings in a text, which may consist of nothing else. */
const mostFindings = 200;

function withoutOverlaps(debris: readonly Debris[]): readonly Debris[] {
  let end = 0;
  return debris
    .toSorted((left, right) => left.start - right.start)
    .filter((debris) => {
      if (debris.start < end) return false;
      end = debris.end;
      return true;
    });
}

interface Shape extends Pick<Debris, 'kind' | 'message'> {
  /** Matches every text that `pattern` matches, and few others: most prompts need no more than this test. */
  readonly hint: RegExp;
  /** Global. The group `before` is matched but not marked. */
  readonly pattern: RegExp;
  readonly accepts?: (text: string, match: RegExpMatchArray) => boolean;
}

/** Notes that authors leave in prompts, which prompt-debris reports. They are data here: nothing in this file is unfinished. */
const note = '(?:TODO|FIXME|TBD)';

const shapes: readonly Shape[] = [
  {
    kind: 'chat-token',
    message: "A control token of a model's chat format",
    hint: /<\||INST\]|SYS>>/,
    pattern: /<\|(?:im_start|im_end|im_sep|endoftext|eot_id|begin_of_text|start_header_id|end_header_id)\|>|\[\/?INST\]|<<\/?SYS>>/g,
  },
  {
    kind: 'elision',
    message: 'Text that stands for something left out',
    hint: /[([](?:[. ]|(?:The |the )?[Rr]e|[Uu]nch|[Ss]ame)/,
    // Such a note begins with a capital letter; in lower case it needs a word for something missing.
    pattern:
      /[([]\.{0,3}\s?(?:The |the )?(?:Rest of (?!(?:the )?[Ww]orld)[^()[\]\n]{0,120}|rest of [^()[\]\n]{0,80}(?:unchanged|omitted|unmodified|same|continues|\.\.\.|\u2026)[^()[\]\n]{0,40}|[Rr]emain(?:der|ing) [^()[\]\n]{0,60}(?:unchanged|omitted|the same)[^()[\]\n]{0,40}|(?:[Uu]nchanged|[Ss]ame as (?:above|before)) ?(?=[)\]]))[)\]]?/g,
  },
  {
    kind: 'end-mark',
    message: 'A mark of where generated text ended',
    hint: /END/,
    pattern: /(?<!-)-{3,} ?END(?: OF [A-Z][A-Z ]{0,40})?(?![A-Za-z])(?: ?-{3,})?|(?<![A-Za-z])END(?: OF [A-Z][A-Z ]{0,40})? ?-{3,}/g,
    // Delimiters that come in pairs are part of the prompt, and so is armour such as that of keys.
    accepts: (text) => !/(?<!-)-{3,} ?(?:BEGIN|START)(?![A-Za-z])|(?<![A-Za-z])(?:BEGIN|START)[A-Z ]{0,40}-{3,}/.test(text),
  },
  {
    kind: 'note',
    message: 'A note to oneself',
    hint: new RegExp(note),
    pattern: new RegExp(
      [
        // In brackets of its own.
        String.raw`[[(<{]${note}(?::[^\])>}\n]{0,200})?[\])>}]`,
        // At the start of a line, as a comment or a list item, and at its end.
        String.raw`(?<before>^[ \t]*(?:(?:[-*#>]|//|/\*|\d+[.)])[ \t]*){0,3})${note}(?:\([^)\n]{0,60}\))?(?:[ \t]*(?:[:\u2013\u2014-][^\n]{0,200})?$|:[^\n]{0,200})`,
        // With a colon or an author, or followed by what is to be done.
        String.raw`(?<![\w"'\x60\u201c\u2018\u00ab-])${note}(?:\([^)\n]{0,60}\):?|:)(?!["'\x60\u201d\u2019\u00bb])`,
        String.raw`(?<![\w"'\x60\u201c\u2018\u00ab-])${note} (?:add|check|complete|define|describe|explain|fill|finish|fix|insert|make|remove|replace|rewrite|specify|translate|update|write)\b`,
      ].join('|'),
      'gm',
    ),
  },
  {
    kind: 'blank',
    message: 'A blank that was not filled in',
    hint: /YOUR|INSERT|REPLACE|PLACEHOLDER|FILL|[<[{](?:[Yy]our|[Ii]nsert)/,
    pattern:
      /\{{1,3} ?(?:(?:YOUR|INSERT|REPLACE|FILL)[_ -][A-Z0-9_ -]{1,60}|PLACEHOLDER) ?\}{1,3}|[<[] ?(?:(?:YOUR|INSERT|REPLACE|FILL)[_ -][A-Z0-9_ -]{1,60}|PLACEHOLDER) ?[>\]]|[<[{](?:[Yy]our|[Ii]nsert) [a-z][a-z ]{0,60} here[>\]}]/g,
  },
  {
    kind: 'preamble',
    message: 'An answer of an assistant instead of its content',
    hint: /^\s*(?:Sure|Certainly|Of course|Absolutely)/,
    pattern:
      /^\s*(?:Sure|Certainly|Of course|Absolutely)[!,.] (?:[Hh]ere(?:'s|\u2019s| is| are)|I(?:'ll|\u2019ll| will| can))[^\n]{0,160}/g,
  },
  {
    kind: 'fence',
    message: 'A Markdown fence around the prompt',
    hint: /```|~~~/,
    pattern: /^\s*(?:```|~~~)[^\n`]{0,40}\n|\n(?:```|~~~)\s*$/g,
    accepts: isFenceOfAll,
  },
];

/** A fence at the start or the end is debris unless a partner inside the text makes it an example. */
function isFenceOfAll(text: string, match: RegExpMatchArray): boolean {
  const fences = text.match(/^[ \t]*(?:```|~~~)/gm)?.length ?? 0;
  const opens = /^\s*(?:```|~~~)/.test(text);
  const closes = /\n(?:```|~~~)\s*$/.test(text);
  if (opens && closes) return fences === 2 && match.index === 0;
  return fences % 2 === 1 && (match.index === 0 ? opens : closes);
}
