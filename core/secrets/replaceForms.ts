import { unfold } from './unfold.js';

/**
 * A text with a mark in place of every form in which a secret is written (`writtenForms`), including base64 that is broken into lines.
 *
 * @param forms the longest first, since one may be part of another
 */
export function replaceForms(text: string, forms: readonly string[], mark: string): string {
  const replaced = forms.reduce((left, form) => left.replaceAll(form, mark), text);
  const unfolded = forms.length === 0 ? undefined : unfold(replaced);
  if (unfolded === undefined) return replaced;
  let left = '';
  let end = 0;
  for (const { from, to } of placesOf(forms, unfolded.text)) {
    left += replaced.slice(end, unfolded.placeOf(from)) + mark;
    end = unfolded.placeOf(to - 1) + 1;
  }
  return left + replaced.slice(end);
}

interface Place {
  readonly from: number;
  readonly to: number;
}

/** Where forms occur, in order; overlapping places are merged. */
function placesOf(forms: readonly string[], text: string): readonly Place[] {
  const found: Place[] = [];
  for (const form of forms) {
    for (let from = text.indexOf(form); from !== -1; from = text.indexOf(form, from + form.length))
      found.push({ from, to: from + form.length });
  }
  const places: Place[] = [];
  for (const place of found.sort((one, other) => one.from - other.from)) {
    const last = places.at(-1);
    if (last === undefined || last.to <= place.from) places.push(place);
    else places[places.length - 1] = { from: last.from, to: Math.max(last.to, place.to) };
  }
  return places;
}
