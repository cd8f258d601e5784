import { usdText } from '../amounts.js';
import type { ModelFacts } from './modelTable.js';

type Details = { readonly [K in 'context_window' | 'price' | 'ends' | 'deprecated']?: ModelFacts[K] | undefined };

/** `1M tokens, 0.40 USD in, 1.60 USD out per M`. @param asOf today, for the tense of the day on which it ends */
export function modelDetail({ context_window, price, ends, deprecated }: Details, asOf?: string): string {
  const parts: string[] = [];
  if (context_window !== undefined) parts.push(`${shortNumber(context_window)} tokens`);
  if (price !== undefined) parts.push(`${usdText(price.input)} in, ${usdText(price.output)} out per M`);
  if (ends !== undefined) parts.push(`${asOf !== undefined && ends < asOf ? 'ended' : 'ends'} on ${ends}`);
  if (deprecated !== undefined) parts.push(deprecated);
  return parts.join(', ');
}

function shortNumber(value: number): string {
  if (value >= 1_000_000) return `${Number((value / 1_000_000).toFixed(2))}M`;
  return value >= 1000 ? `${Math.round(value / 1000)}k` : String(value);
}
