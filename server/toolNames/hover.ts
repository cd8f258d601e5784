import { type Hover, type HoverParams, MarkupContent } from 'vscode-languageserver';
import { definitionsOf, isOwnName, type NamedPlace, samePlaces, toolMeant } from '../../core/inventory/toolNames.js';
import { isObject, valueAt } from '../../core/json.js';
import { namingOf } from '../../core/otherTools/index.js';
import type { Inventory } from '../../core/otherTools/toolFiles.js';
import type { FeatureContext } from '../feature.js';
import { reachWords } from '../hover/fileWords.js';
import { type Block, line, toMarkup } from '../hover/hoverText.js';
import { codes, modelWords } from '../hover/modelWords.js';
import { provideHover } from '../hover/provideHover.js';
import { preview } from '../preview.js';
import { nameAt, rangeOf, type ToolDocument, toolDocument } from './toolDocument.js';

/** What a name stands for in the files of other tools, and what is at the cursor in a config. */
export async function hoverAnywhere(params: HoverParams, context: FeatureContext): Promise<Hover | null> {
  const [tool, ours] = [await hoverOfTool(params, context), await provideHover(params, context)];
  if (tool === null || ours === null || !MarkupContent.is(tool.contents) || !MarkupContent.is(ours.contents)) return tool ?? ours;
  const { kind, value } = tool.contents;
  return { ...tool, contents: { kind, value: value + (kind === 'markdown' ? '\n\n' : '\n') + ours.contents.value } };
}

async function hoverOfTool({ textDocument, position }: HoverParams, context: FeatureContext): Promise<Hover | null> {
  const tool = await toolDocument(textDocument, context);
  const place = tool && nameAt(tool, tool.document.offsetAt(position));
  const blocks = tool === undefined || place === undefined ? [] : wordsOf(place, tool);
  if (tool === undefined || place === undefined || blocks.length === 0) return null;
  const [format = 'plaintext'] = context.client.textDocument?.hover?.contentFormat ?? [];
  return { contents: toMarkup(blocks, format), range: tool.document.rangeOf(rangeOf(place)) };
}

function wordsOf(place: NamedPlace, { inventory, project }: ToolDocument): readonly Block[] {
  const { file, name } = place;
  const naming = namingOf(file.tool);
  const title = naming?.title ?? file.tool;
  switch (name.kind) {
    case 'file':
      return [];
    case 'model': {
      const modelFacts = Object.entries(naming?.models ?? {}).flatMap(([provider, prefix]) => {
        const model = name.name.startsWith(prefix) ? name.name.slice(prefix.length) : '';
        return project.ruleContext.models.find(model, provider) === undefined ? [] : modelWords({ project }, model, provider);
      });
      return modelFacts.length === 0 && isOwnName(place)
        ? [line({ strong: name.name }, `: ${title} decides which model that is.`)]
        : modelFacts;
    }
    case 'server':
    case 'agent':
    case 'tool': {
      const [definition] = definitionsOf(place, inventory);
      if (definition === undefined)
        return name.kind === 'tool' && isOwnName(place) ? [line({ strong: name.name }, ` (tool of ${title})`)] : [];
      if (name.kind === 'agent') return [...agentWords(definition, naming?.title), ...usageWords(place, inventory)];
      const meant = name.kind === 'tool' ? toolMeant(place, inventory) : undefined;
      const head = meant?.tool === undefined ? line('All tools of this server:') : line('Tool ', { code: meant.tool }, ' of this server:');
      return [...(meant === undefined ? [] : [head]), ...serverWords(definition), ...usageWords(place, inventory)];
    }
  }
}

function serverWords({ file, name }: NamedPlace): readonly Block[] {
  const server = valueAt(file.source.value, name.pointer);
  return isObject(server) ? reachWords(name.name, server, file.path) : [];
}

function agentWords({ file, name }: NamedPlace, title: string | undefined): readonly Block[] {
  const agent = valueAt(file.source.value, name.target === 'key' ? name.pointer : '');
  const { description, model } = isObject(agent) ? agent : {};
  return [
    line({ strong: name.name }, title === undefined ? ' (agent) ' : ` (agent of ${title}) `, { code: file.path }),
    ...(typeof description === 'string' ? [line(preview(description, 300))] : []),
    ...(typeof model === 'string' ? [line('Model ', { code: preview(model, 60) }, '.')] : []),
  ];
}

/** The other files that name the same. */
function usageWords(place: NamedPlace, inventory: Inventory): readonly Block[] {
  const others = samePlaces(place, inventory).filter(({ file }) => file.path !== place.file.path);
  const named = [...new Set(others.filter(({ name }) => name.role === 'reference').map(({ file }) => file.path))];
  const defined = [
    ...new Set(others.filter(({ name }) => name.kind === 'server' && name.role === 'definition').map(({ file }) => file.path)),
  ];
  return [
    ...(place.name.role === 'definition' && defined.length > 0 ? [line('Also defined in ', ...codes(defined), '.')] : []),
    ...(named.length > 0 ? [line('Named in ', ...codes(named), '.')] : []),
  ];
}
