import type { Location, ReferenceParams } from 'vscode-languageserver';
import type { FeatureContext } from '../feature.js';
import { entityKey } from '../names/entity.js';
import { findOccurrences, type Occurrences, occurrencesAt } from '../occurrences.js';
import { ourDocument } from '../ours.js';
import type { Project } from '../workspace.js';

export async function provideReferences(
  { textDocument, position, context: { includeDeclaration } }: ReferenceParams,
  context: FeatureContext,
): Promise<readonly Location[] | null> {
  await context.workspace.ready(context.signal);
  const ours = ourDocument(textDocument, context);
  if (ours === undefined) return null;
  const { document, project } = ours;
  const occurrencesHere = occurrencesAt(document, document.offsetAt(position), project);
  if (occurrencesHere.length === 0) return null;
  const locations = new Map<string, Location>();
  for (const entity of new Map(occurrencesHere.map((occurrence) => [entityKey(occurrence.entity), occurrence.entity])).values()) {
    const occurrences = await findOccurrences(entity, project, context);
    for (const location of locationsOf(occurrences, project, { includeDeclaration })) locations.set(JSON.stringify(location), location);
  }
  return [...locations.values()];
}

/** Named and implied places. A persona or environment is declared by its file, since only its path contains the name. */
function locationsOf({ places, implied, carriers, entity }: Occurrences, project: Project, { includeDeclaration }: Wanted): Location[] {
  const listed = [...places, ...implied].filter(({ isDeclaration }) => includeDeclaration || !isDeclaration);
  const locations = listed.map(({ document, range }) => ({ uri: document.uri, range: document.rangeOf(range) }));
  if (!includeDeclaration || (entity.kind !== 'persona' && entity.kind !== 'environment')) return locations;
  const start = { line: 0, character: 0 };
  return [...carriers.map((path) => ({ uri: project.uriOf(path), range: { start, end: start } })), ...locations];
}

interface Wanted {
  readonly includeDeclaration: boolean;
}
