import { CompletionItemKind } from 'vscode-languageserver';
import { defaultProvider } from '../../core/config/defaults.js';
import { modelDetail } from '../../core/llm/modelDetail.js';
import { newestFirst } from '../../core/llm/modelOrder.js';
import { createModelTable, isGoing, providersWithKnownModels } from '../../core/llm/modelTable.js';
import { profileProvider } from '../names/optionsProvider.js';
import { json } from './draft.js';
import { agentField } from './outputs.js';
import type { Spot } from './spot.js';
import type { Suggestion } from './suggestion.js';

/** The models of the provider at the cursor, with window and price, and other models that the project uses. */
export function modelValues(spot: Spot): readonly Suggestion[] {
  const provider = providerAt(spot);
  const { models, asOf } = spot.project.ruleContext;
  const names = models.names(provider);
  const declared = Object.keys(spot.project.settings.models).filter((name) => !isOfAnother(name, provider));
  const projectModels = new Set([...usedModels(spot, provider), ...declared]);
  return [...new Set([...projectModels, ...newestFirst(names.filter((name) => !isOfAnother(name, provider)))])].map((name) => {
    const facts = models.find(name, provider);
    const isGone = isGoing(facts);
    return {
      type: 'value',
      label: name,
      value: json(name),
      kind: CompletionItemKind.Constant,
      detail: facts === undefined ? 'used in this project' : modelDetail(facts, asOf),
      docs: { type: 'model', name, provider },
      rank: isGone ? 6 : projectModels.has(name) ? 1 : 2,
      deprecated: isGone,
    };
  });
}

/** Without the models that a project declares, which may be of any provider. */
const builtIn = createModelTable();

/** Whether only another provider is known to have a model. */
function isOfAnother(name: string, provider: string): boolean {
  if (builtIn.find(name, provider) !== undefined) return false;
  return [...providersWithKnownModels].some((other) => builtIn.find(name, other) !== undefined);
}

/** The provider beside the cursor, otherwise the one from the layers below. */
function providerAt(spot: Spot): string {
  const base = spot.path.slice(0, -1);
  const written = spot.members().get('provider');
  if (typeof written === 'string') return written;
  const profile = spot.members().get('llm_config_id');
  const ofProfile = typeof profile === 'string' ? spot.project.index.value('llm', profile)?.provider : undefined;
  const below =
    ofProfile ?? (spot.kind === 'llm' ? profileProvider(spot.identity.name, undefined, spot.project) : agentField(spot, base, 'provider'));
  return typeof below === 'string' ? below : defaultProvider;
}

/** Models that other llm profiles of the same provider name. The document itself is left out, since its name is still being typed. */
function usedModels({ project, document }: Spot, provider: string): readonly string[] {
  const names = new Set<string>();
  for (const [id, path] of project.index.ids('llm')) {
    if (path === document.path) continue;
    const profile = project.index.value('llm', id);
    const { model_name, provider: owner = defaultProvider } = profile ?? {};
    if (owner === provider && typeof model_name === 'string' && model_name !== '' && !model_name.includes('${')) names.add(model_name);
  }
  return [...names];
}
