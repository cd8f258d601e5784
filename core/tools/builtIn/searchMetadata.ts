import type { JsonObject } from '../../json.js';
import { FileProblem } from '../../ports.js';
import { refusal } from '../../secrets/secretFiles.js';
import type { ToolContext, ToolOutcome } from '../types.js';
import { type DocumentMetadata, documentMetadata, metadataValue } from './documentMetadata.js';
import { type FilePorts, failed, leftOut, newWalk, toProjectPath, walkFiles } from './projectFiles.js';

interface Match {
  readonly id: string;
  readonly metadata: DocumentMetadata;
  readonly score: number;
}

/** `search_metadata`: documents by title, headings, tags, kind, description and file name; the best match first. */
export async function searchMetadata(ports: FilePorts, input: JsonObject, { signal }: Pick<ToolContext, 'signal'>): Promise<ToolOutcome> {
  const { path: requested = '', max_results = 20 } = input;
  const path = toProjectPath(String(requested));
  if (path === undefined) return failed(`${JSON.stringify(requested)} is outside the project. Give a folder inside it, or none.`);
  const refused = path === '' ? undefined : refusal(path);
  if (refused !== undefined) return failed(refused);
  const scoreOf = createScore(input);
  const walk = newWalk();
  const matches: Match[] = [];
  let files = 0;
  try {
    for await (const { path: id, text } of walkFiles(ports, path, signal, walk)) {
      files += 1;
      const metadata = documentMetadata(id, text);
      const score = scoreOf(id, metadata);
      if (score > 0) matches.push({ id, metadata, score });
    }
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    return failed(`There is no ${path} to search.`);
  }
  matches.sort((left, right) => right.score - left.score || (left.id < right.id ? -1 : 1));
  const best = matches.slice(0, Number(max_results));
  const notes = [
    ...(matches.length > best.length ? [`${matches.length - best.length} more documents match: narrow the query.`] : []),
    ...leftOut(walk),
  ];
  const head = matches.length === 0 ? [`None of ${files} ${files === 1 ? 'document' : 'documents'} matches.`] : [];
  return {
    content: [...head, ...best.map(line), ...notes].join('\n'),
    value: {
      results: best.map(({ id, metadata }) => ({ id, title: metadata.title, ...metadataValue(metadata) })),
      complete: matches.length === best.length && walk.complete,
    },
  };
}

function line({ id, metadata: { title, kind, tags, description, headings, size } }: Match): string {
  const facts = [
    kind,
    `${size} characters`,
    ...(tags.length > 0 ? [`tags: ${tags.join(', ')}`] : []),
    ...(headings.length > 1 ? [`headings: ${headings.slice(0, 6).join('; ')}`] : []),
  ];
  return `${id}: ${title} (${facts.join('; ')})${description === '' ? '' : `\n  ${description}`}`;
}

/** How well a document matches, 0 for not at all. Each word counts by its best place: title 8, tag 6, file name 5, heading 3, elsewhere 1. */
function createScore({ query = '', title = '', tags = [], kind = '' }: JsonObject) {
  const fold = (text: unknown) => String(text).toLowerCase();
  const words = fold(query)
    .split(/\s+/)
    .filter((word) => word !== '');
  const requiredTags = Array.isArray(tags) ? tags.map(fold) : [];
  return (id: string, metadata: DocumentMetadata): number => {
    if (!fold(metadata.title).includes(fold(title))) return 0;
    if (kind !== '' && fold(metadata.kind) !== fold(kind)) return 0;
    const documentTags = metadata.tags.map(fold);
    if (!requiredTags.every((tag) => documentTags.includes(tag))) return 0;
    const places: readonly (readonly [text: string, weight: number])[] = [
      [fold(metadata.title), 8],
      [documentTags.join('\n'), 6],
      [fold(id), 5],
      [fold(metadata.headings.join('\n')), 3],
      [fold([metadata.description, metadata.kind, ...Object.values(metadata.fields)].join('\n')), 1],
    ];
    let score = 1;
    for (const word of words) {
      const best = places.find(([text]) => text.includes(word));
      if (best === undefined) return 0;
      score += best[1];
    }
    return score;
  };
}
