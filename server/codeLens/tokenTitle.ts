import * as l10n from '@vscode/l10n';
import { isObject, type Json, valueAt } from '../../core/json.js';
import { findSetting, layersOf } from '../../core/rules/facts/layers.js';
import type { FeatureContext } from '../feature.js';
import { type FileView, viewOf } from '../names/fileView.js';
import type { OurDocument } from '../ours.js';
import { number } from '../texts.js';

/** In UTF-16 units. Counting takes about 100 ms per million, so for longer texts only a lower bound is shown. */
const longest = 200_000;

/** The number of tokens of a text, by the tokenizer of its model; undefined when the text is gone. */
export async function tokenTitle(uri: string, pointer: string, { workspace }: FeatureContext): Promise<string | undefined> {
  const document = workspace.document(uri);
  const project = workspace.projectOf(uri);
  return document && project && tokenTitleIn({ document, project }, pointer);
}

/** The same in a document that need not be open. */
export async function tokenTitleIn({ document, project }: OurDocument, pointer: string): Promise<string | undefined> {
  const view = viewOf(document, project);
  const text = view && valueAt(view.value, pointer);
  if (view === undefined || typeof text !== 'string') return undefined;
  const model = modelOf(view, pointer);
  if (text.length > longest) {
    const { fewestTokens } = await import('../../core/llm/fewestTokens.js');
    return l10n.t('at least {0}', counted(fewestTokens(model ?? '', text)));
  }
  const { hasKnownTokenizer, loadTokenCounter } = await import('../../core/llm/countTokens.js');
  const name = model !== undefined && hasKnownTokenizer(model) ? model : anyModel;
  const { tokens, exact } = (await loadTokenCounter([name])).count(name, text);
  // Variables and templates add tokens, and the tokenizer of another model is only an estimate.
  const isExact = exact && name === model && !text.includes('${') && !text.includes('{{');
  return isExact ? `${counted(tokens)} (${model})` : l10n.t('about {0}', counted(tokens));
}

/** The model that provides the tokenizer when the text's model is unknown. */
const anyModel = 'gpt-4o';

/** The effective model of a text; undefined when it comes from a variable, or no layer names one. */
function modelOf({ file, value, project }: FileView, pointer: string): string | undefined {
  if (file.identity.kind === 'llm') return plain(value.model_name);
  if (file.identity.kind === 'agent') {
    const stack = layersOf(file, project.ruleContext);
    return stack && plain(findSetting(stack, 'model_name')?.value);
  }
  const owner = valueAt(value, pointer.slice(0, pointer.lastIndexOf('/')));
  return isObject(owner) ? plain(owner.model_name) : undefined;
}

function plain(model: Json | undefined): string | undefined {
  return typeof model === 'string' && !model.includes('${') ? model : undefined;
}

function counted(tokens: number): string {
  return tokens === 1 ? l10n.t('1 token') : l10n.t('{0} tokens', number(tokens));
}
