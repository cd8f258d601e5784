import type { Stretch } from '../../../core/prompt/sourcePlaces.js';
import type { ComposedPrompt } from '../../../core/prompt/types.js';
import type { MessagePatch, PieceView, Source } from './messages.js';

/** A message as displayed: its first stretches, piece by piece. */
export interface MessageView {
  readonly role: string;
  readonly pieces: readonly PieceView[];
  /** Units of the message below the pieces. */
  readonly more: number;
}

/** The most that is shown of one message: enough to read, little enough to redraw on each keystroke. */
const mostPieces = 3_000;
const mostUnits = 200_000;
/** Of a longer stretch the beginning and the end are shown, in UTF-16 units. */
const longestPiece = 12_000;
const headUnits = 8_000;
const tailUnits = 2_000;

/** @param isDefault whether the value at a place of a file is the default of a field the answer leaves out */
export function viewMessages(
  { messages }: Pick<ComposedPrompt, 'messages'>,
  stretches: readonly Stretch[],
  isDefault: (stretch: Stretch) => boolean,
): readonly MessageView[] {
  const views = messages.map(({ role, content }) => ({ role, pieces: [] as PieceView[], more: content.length, units: 0 }));
  for (const stretch of stretches) {
    const view = views[stretch.message];
    const content = messages[stretch.message]?.content;
    if (view === undefined || content === undefined) continue;
    if (view.pieces.length >= mostPieces || view.units >= mostUnits) continue;
    const piece = toPiece(stretch, content, isDefault(stretch));
    view.pieces.push(piece);
    view.units += piece.text.length;
    view.more -= stretch.end - stretch.start;
  }
  return views.map(({ role, pieces, more }) => ({ role, pieces, more }));
}

function toPiece({ start, end, file, pointer, layer }: Stretch, content: string, isDefault: boolean): PieceView {
  const units = end - start;
  const isLong = units > longestPiece;
  const text = isLong ? content.slice(start, start + headUnits) + content.slice(end - tailUnits, end) : content.slice(start, end);
  const isStored = file !== null && /^\/(?:template|few_shot_examples)(?:\/|$)/.test(pointer);
  const source: Source = isStored ? 'prompt' : layer === 'orchestration' ? 'task' : layer;
  return {
    text,
    ...(isLong && { cut: { at: headUnits, units: units - headUnits - tailUnits } }),
    source,
    file,
    pointer,
    ...(isDefault && { isDefault }),
  };
}

/** The stretches that are shown, each with where. */
export interface ShownStretches {
  readonly stretches: readonly Stretch[];
  readonly places: readonly (readonly [message: number, piece: number])[];
}

/** Of each message the first stretches are shown, one piece each. */
export function shownStretches(stretches: readonly Stretch[], messages: readonly MessageView[]): ShownStretches {
  const counts = messages.map(() => 0);
  const visible: Stretch[] = [];
  const places: [number, number][] = [];
  for (const stretch of stretches) {
    const piece = counts[stretch.message] ?? 0;
    if (piece >= (messages[stretch.message]?.pieces.length ?? 0)) continue;
    counts[stretch.message] = piece + 1;
    visible.push(stretch);
    places.push([stretch.message, piece]);
  }
  return { stretches: visible, places };
}

/** What a page that shows `before` has to change to show `after`. */
export function patchMessages(before: readonly MessageView[], after: readonly MessageView[]): readonly MessagePatch[] {
  return after.map(({ role, pieces, more }, index) => {
    const old = before[index]?.pieces ?? [];
    const most = Math.min(old.length, pieces.length);
    let keepStart = 0;
    while (keepStart < most && isSame(old[keepStart], pieces[keepStart])) keepStart += 1;
    let keepEnd = 0;
    while (keepEnd < most - keepStart && isSame(old.at(-1 - keepEnd), pieces.at(-1 - keepEnd))) keepEnd += 1;
    return { role, keepStart, keepEnd, pieces: pieces.slice(keepStart, pieces.length - keepEnd), more };
  });
}

function isSame(left: PieceView | undefined, right: PieceView | undefined): boolean {
  return (
    left !== undefined &&
    right !== undefined &&
    left.text === right.text &&
    left.source === right.source &&
    left.pointer === right.pointer &&
    left.file === right.file &&
    left.isDefault === right.isDefault &&
    left.cut?.units === right.cut?.units
  );
}
