import * as l10n from '@vscode/l10n';
import type { InlayHint } from 'vscode-languageserver';
import { usdText } from '../../core/amounts.js';
import { countText } from '../../core/llm/tokenText.js';
import { changingPath, type PromptCache, promptCacheOf, sharedTokens } from '../../core/rules/facts/promptCache.js';
import { line, toMarkup } from '../hover/hoverText.js';
import { type FileView, rawStretches } from '../names/fileView.js';
import { language } from '../texts.js';

/**
 * Where the stable beginning of a prompt, which is the same in every call, ends in a template of the prompt store: before the first changing value.
 * Shown for the first agent that uses the prompt and whose provider could cache a longer part of it.
 */
export function cacheHints(view: FileView, isWanted: (offset: number) => boolean): readonly InlayHint[] {
  const { file, value, document, locate } = view;
  const { template } = value;
  if (file.identity.kind !== 'prompt' || typeof template !== 'string' || !template.includes('{{')) return [];
  const usage = usedBy(view);
  if (usage === undefined) return [];
  const { cache, agent, alike } = usage;
  const path = changingPath(template, cache.prefix);
  const quoted = locate(['/template']).get('/template')?.value;
  const offset = path && quoted && rawStretches(document.text, quoted, [path])[0]?.start;
  if (offset === undefined || !isWanted(offset)) return [];
  const { stable_tokens, billed_again_tokens, billed_again_usd, minimum } = cache.prediction;
  const tag = language();
  const stable = l10n.t('stable prefix: about {0} tokens', countText(stable_tokens, tag));
  const again = l10n.t('{0} billed again in each call', countText(billed_again_tokens, tag));
  const isBroken = minimum !== null && billed_again_tokens >= minimum;
  const place = { link: agent, href: view.project.uriOf(agent) };
  const tooltip = [
    line(
      l10n.t('Everything before this is the same in every call of'),
      ' ',
      place,
      '. ',
      l10n.t('The provider can cache it from {0} tokens.', countText(minimum ?? 0, tag)),
    ),
    line(
      l10n.t('After it, about {0} more tokens are the same, but are billed in full each time.', countText(billed_again_tokens, tag)),
      ...(billed_again_usd ? [' ', l10n.t('That costs {0} more per call than from the cache.', usdText(billed_again_usd, tag))] : []),
    ),
    ...(alike.length > 1
      ? [
          line(
            l10n.t(
              '{0} agents have this prompt and model; about {1} tokens at the beginning are the same in all their calls.',
              alike.length,
              countText(sharedTokens(alike), tag),
            ),
          ),
        ]
      : []),
  ];
  const label = isBroken ? `${stable}, ${again}` : stable;
  return [{ position: document.positionAt(offset), label, paddingRight: true, tooltip: toMarkup(tooltip, 'markdown') }];
}

interface PromptUser {
  readonly agent: string;
  readonly cache: PromptCache;
}

/** The first agent, by path, whose provider could cache the stable part of the prompt, and all agents with the same model, including itself. */
function usedBy({ file, project }: FileView): (PromptUser & { readonly alike: readonly PromptCache[] }) | undefined {
  const { index, ruleContext } = project;
  const id = `${file.identity.name}@${file.identity.kind === 'prompt' ? file.identity.version : ''}`;
  const paths = [...new Set(index.referencesTo('prompt', id).map((reference) => reference.file))].sort();
  const users = paths.flatMap((agent): PromptUser[] => {
    const config = project.documentAt(agent)?.config;
    if (config?.value === undefined || config.identity.kind !== 'agent') return [];
    const cache = promptCacheOf(config, ruleContext);
    return cache === undefined ? [] : [{ agent, cache }];
  });
  const first = users.find(({ cache: { prefix, prediction } }) => {
    const { stable_tokens, billed_again_tokens, minimum } = prediction;
    return prefix.end.part === 'system' && minimum !== null && stable_tokens + billed_again_tokens >= minimum;
  });
  if (first === undefined) return undefined;
  return { ...first, alike: users.map(({ cache }) => cache).filter(({ model }) => model === first.cache.model) };
}
