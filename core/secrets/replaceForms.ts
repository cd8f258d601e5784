import { unfold } from './unfold.js';

/**
 * A text with every form in which a secret is written replaced by a mark (`writtenForms`), including base64 that is broken into lines.
 *
 * @param forms the longest first, since one may be part of another
 */
export function replaceForms(text: string, forms: readonly string[], mark: string): string {
  const replaced = forms.reduce((masked, form) => masked.replaceAll(form, mark), text);
  const unfolded = forms.length === 0 ? undefined : unfold(replaced);
  if (unfolded === undefined) return replaced;
  let masked = '';
  let end = 0;
  for (const { from, to } of placesOf(forms, unfolded.text)) {
    masked += replaced.slice(end, unfolded.placeOf(from)) + mark;
    end = unfolded.placeOf(to - 1) + 1;
  }
  return masked + replaced.slice(end);
}

interface Place {
  readonly from: number;
  readonly to: number;
}

/** Where forms occur, in order; overlapping places are merged. */
function placesOf(forms: readonly string[], text: string): readonly Place[] {
  const occurrences: Place[] = [];
  for (const form of forms) {
    for (let from = text.indexOf(form); from !== -1; from = text.indexOf(form, from + form.length))
      occurrences.push({ from, to: from + form.length });
  }
  const places: Place[] = [];
  for (const place of occurrences.sort((left, right) => left.from - right.from)) {
    const last = places.at(-1);
    if (last === undefined || last.to <= place.from) places.push(place);
    else places[places.length - 1] = { from: last.from, to: Math.max(last.to, place.to) };
  }
  return places;
}
