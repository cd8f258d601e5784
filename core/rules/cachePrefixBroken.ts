import { usdText } from '../amounts.js';
import { countText } from '../llm/tokenText.js';
import { layersOf, placeOf } from './facts/layers.js';
import { changingPath, promptCacheOf } from './facts/promptCache.js';
import { findUsedPrompt } from './facts/usedPrompt.js';
import type { Rule } from './rule.js';

/**
 * A value of the input precedes a long stretch of a prompt that is the same in every call. A provider's cache keeps the beginning of a
 * prompt up to the first difference, so the stretch is billed in full again with each call. Reported where the stretch alone is long enough to
 * be cached. In a prompt without a template only the payload changes, and that comes last.
 */
export const cachePrefixBroken: Rule = {
  code: 'cache-prefix-broken',
  severity: 'info',
  kinds: ['agent'],
  on: 'value',
  check(file, context, report) {
    const stack = layersOf(file, context);
    const used = stack && findUsedPrompt(file, stack, context);
    if (used === undefined || !used.template.includes('{{')) return;
    const cache = promptCacheOf(file, context);
    const minimum = cache?.caching?.minimum;
    if (cache === undefined || minimum === undefined) return;
    const { prefix, prediction } = cache;
    const { billed_again_tokens: tokens, billed_again_usd: usd, stable_tokens } = prediction;
    if (prefix.end.part !== 'system' || tokens < minimum) return;
    const { written } = prefix.end;
    const path = changingPath(used.template, prefix);
    const { pointer, related = [] } = placeOf(file, used.reference, 'The prompt is named here.');
    const within = path && { start: path.start, end: path.end };
    const price = usd === null || usd === 0 ? '' : ` (${usdText(usd)} a call)`;
    report({
      pointer,
      related: [...related, { file: used.path, pointer: '/template', ...(within && { within }), message: 'The prefix is stable to here.' }],
      message: `The prompt ${JSON.stringify(used.id)} is stable for about ${countText(stable_tokens)} tokens, then ${written} ends it: about ${countText(tokens)} tokens behind it are the same in every call and billed again each time${price}.`,
      data: {
        path: written,
        prompt: used.id,
        file: used.path,
        stable_tokens,
        billed_again_tokens: tokens,
        billed_again_usd: usd,
        minimum,
        ...within,
      },
    });
  },
};
