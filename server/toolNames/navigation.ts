import type { DefinitionParams, DocumentLink, DocumentLinkParams, Location, LocationLink, ReferenceParams } from 'vscode-languageserver';
import { definitionsOf, isRead, type NamedPlace, samePlaces } from '../../core/inventory/toolNames.js';
import { namesIn } from '../../core/otherTools/toolNames.js';
import type { FeatureContext } from '../feature.js';
import { provideDefinition, type Target, toLocations } from '../navigation/definition.js';
import { provideDocumentLinks } from '../navigation/documentLinks.js';
import { provideReferences } from '../navigation/references.js';
import type { Project } from '../workspace.js';
import { nameAt, rangeOf, type ToolDocument, toolDocument } from './toolDocument.js';

/** From the name of a server, a tool of a server, an agent or a file to where it is. */
export async function definitionAnywhere(
  params: DefinitionParams,
  context: FeatureContext,
): Promise<readonly LocationLink[] | readonly Location[] | null> {
  const ours = await provideDefinition(params, context);
  if (ours !== null) return ours;
  const { textDocument, position } = params;
  const tool = await toolDocument(textDocument, context);
  const place = tool && nameAt(tool, tool.document.offsetAt(position));
  if (tool === undefined || place === undefined) return null;
  const targets = targetsOf(place, tool);
  return targets.length === 0 ? null : toLocations(targets, tool.document.rangeOf(rangeOf(place)), context);
}

function targetsOf(place: NamedPlace, { inventory, project }: ToolDocument): readonly Target[] {
  const { kind, path } = place.name;
  if (kind !== 'file') return definitionsOf(place, inventory).flatMap((definition) => targetOf(definition, project));
  const document = path !== undefined && inventory.exists(path) === true ? project.documentAt(path) : undefined;
  return document === undefined ? [] : [{ document, range: { start: 0, end: 0 } }];
}

function targetOf(place: NamedPlace, project: Project): readonly Target[] {
  const document = project.documentAt(place.file.path);
  return document === undefined ? [] : [{ document, range: rangeOf(place) }];
}

/** Every place that names the same, in configs and in the files of other tools. */
export async function referencesAnywhere(params: ReferenceParams, context: FeatureContext): Promise<readonly Location[] | null> {
  const places = [...(await toolReferences(params, context)), ...((await provideReferences(params, context)) ?? [])];
  return places.length === 0 ? null : [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
}

async function toolReferences(
  { textDocument, position, context: { includeDeclaration } }: ReferenceParams,
  context: FeatureContext,
): Promise<readonly Location[]> {
  const tool = await toolDocument(textDocument, context);
  const place = tool && nameAt(tool, tool.document.offsetAt(position));
  if (tool === undefined || place === undefined) return [];
  return samePlaces(place, tool.inventory)
    .filter(({ name: { role } }) => includeDeclaration || role === 'reference')
    .flatMap((same) => targetOf(same, tool.project))
    .map(({ document, range }) => ({ uri: document.uri, range: document.rangeOf(range) }));
}

/** Files that are named, as links. */
export async function linksAnywhere(params: DocumentLinkParams, context: FeatureContext): Promise<readonly DocumentLink[] | null> {
  const ours = provideDocumentLinks(params, context);
  if (ours !== null) return ours;
  const tool = await toolDocument(params.textDocument, context);
  if (tool === undefined || !isRead(tool.file)) return null;
  const { document, file, inventory, project } = tool;
  return namesIn(file).flatMap((name) =>
    name.kind === 'file' && name.path !== undefined && inventory.exists(name.path) === true
      ? [{ range: document.rangeOf(rangeOf({ file, name })), target: project.uriOf(name.path) }]
      : [],
  );
}
