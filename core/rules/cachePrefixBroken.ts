import { usdText } from '../amounts.js';
import { countText } from '../llm/tokenText.js';
import { findTemplates } from './facts/agentTexts.js';
import { layersOf, placeOf } from './facts/layers.js';
import { changingPath, promptCacheOf } from './facts/promptCache.js';
import type { Rule } from './rule.js';

/**
 * A value of the input precedes a long stretch of a prompt that is the same in every call. A provider's cache keeps the beginning of a
 * prompt up to the first difference, so the stretch is billed in full again with each call. Reported where the stretch alone is long enough to
 * be cached. Where nothing but the payload changes, that comes last.
 */
export const cachePrefixBroken: Rule = {
  code: 'cache-prefix-broken',
  severity: 'info',
  kinds: ['agent'],
  on: 'value',
  check(file, context, report) {
    const stack = layersOf(file, context);
    const templates = stack ? findTemplates(file, stack, context).filter(({ text }) => text.includes('{{')) : [];
    if (templates.length === 0) return;
    const cache = promptCacheOf(file, context);
    const minimum = cache?.caching?.minimum;
    if (cache === undefined || minimum === undefined) return;
    const { prefix, prediction } = cache;
    const { billed_again_tokens: tokens, billed_again_usd: usd, stable_tokens } = prediction;
    const used = templates.find(({ field }) => (field === 'user_text') === (prefix.end.part === 'messages'));
    if (used === undefined || tokens < minimum) return;
    const { written } = prefix.end;
    const { prompt } = used;
    const path = changingPath(used.text, prefix);
    const { pointer, related = [] } = placeOf(file, used.setting, `The ${prompt ? 'prompt is named' : 'text is'} here.`);
    const within = path && { start: path.start, end: path.end };
    const price = usd === null || usd === 0 ? '' : ` (${usdText(usd)} a call)`;
    const isOwn = used.file === file.path;
    report({
      pointer,
      ...(isOwn && within && { within }),
      related: isOwn
        ? []
        : [...related, { file: used.file, pointer: used.pointer, ...(within && { within }), message: 'The prefix is stable to here.' }],
      message: `${prompt ? `The prompt ${JSON.stringify(prompt.id)}` : used.field} is stable for about ${countText(stable_tokens)} tokens, then ${written} ends it: about ${countText(tokens)} tokens behind it are the same in every call and billed again each time${price}.`,
      data: {
        path: written,
        ...(prompt && { prompt: prompt.id }),
        file: used.file,
        at: used.pointer,
        stable_tokens,
        billed_again_tokens: tokens,
        billed_again_usd: usd,
        minimum,
        ...within,
      },
    });
  },
};
