import type { JsonObject } from '../../json.js';
import { FileProblem } from '../../ports.js';
import { refusal } from '../../secrets/secretFiles.js';
import type { ToolContext, ToolOutcome } from '../types.js';
import { type DocumentMetadata, documentMetadata, metadataValue } from './documentMetadata.js';
import { type FilePorts, failed, leftOut, newWalk, toProjectPath, walkFiles } from './projectFiles.js';

interface Found {
  readonly id: string;
  readonly metadata: DocumentMetadata;
  readonly score: number;
}

/** `search_metadata`: documents by title, headings, tags, kind, description and file name; the best match first. */
export async function searchMetadata(ports: FilePorts, input: JsonObject, { signal }: Pick<ToolContext, 'signal'>): Promise<ToolOutcome> {
  const { path: written = '', max_results = 20 } = input;
  const path = toProjectPath(String(written));
  if (path === undefined) return failed(`${JSON.stringify(written)} is outside the project. Give a folder inside it, or none.`);
  const refused = path === '' ? undefined : refusal(path);
  if (refused !== undefined) return failed(refused);
  const scoreOf = createScore(input);
  const walk = newWalk();
  const found: Found[] = [];
  let files = 0;
  try {
    for await (const { path: id, text } of walkFiles(ports, path, signal, walk)) {
      files += 1;
      const metadata = documentMetadata(id, text);
      const score = scoreOf(id, metadata);
      if (score > 0) found.push({ id, metadata, score });
    }
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    return failed(`There is no ${path} to look in.`);
  }
  found.sort((left, right) => right.score - left.score || (left.id < right.id ? -1 : 1));
  const shown = found.slice(0, Number(max_results));
  const notes = [
    ...(found.length > shown.length ? [`${found.length - shown.length} more documents match: ask more narrowly.`] : []),
    ...leftOut(walk),
  ];
  const head = found.length === 0 ? [`None of ${files} ${files === 1 ? 'document' : 'documents'} matches.`] : [];
  return {
    content: [...head, ...shown.map(line), ...notes].join('\n'),
    value: {
      results: shown.map(({ id, metadata }) => ({ id, title: metadata.title, ...metadataValue(metadata) })),
      complete: found.length === shown.length && walk.complete,
    },
  };
}

function line({ id, metadata: { title, kind, tags, description, headings, size } }: Found): string {
  const facts = [
    kind,
    `${size} characters`,
    ...(tags.length > 0 ? [`tags: ${tags.join(', ')}`] : []),
    ...(headings.length > 1 ? [`headings: ${headings.slice(0, 6).join('; ')}`] : []),
  ];
  return `${id}: ${title} (${facts.join('; ')})${description === '' ? '' : `\n  ${description}`}`;
}

/** How well a document fits, 0 for not at all. Each word counts where it stands highest: title 8, tag 6, file name 5, heading 3, elsewhere 1. */
function createScore({ query = '', title = '', tags = [], kind = '' }: JsonObject) {
  const fold = (text: unknown) => String(text).toLowerCase();
  const words = fold(query)
    .split(/\s+/)
    .filter((word) => word !== '');
  const wantedTags = Array.isArray(tags) ? tags.map(fold) : [];
  return (id: string, metadata: DocumentMetadata): number => {
    if (!fold(metadata.title).includes(fold(title))) return 0;
    if (kind !== '' && fold(metadata.kind) !== fold(kind)) return 0;
    const ownTags = metadata.tags.map(fold);
    if (!wantedTags.every((tag) => ownTags.includes(tag))) return 0;
    const places: readonly (readonly [text: string, weight: number])[] = [
      [fold(metadata.title), 8],
      [ownTags.join('\n'), 6],
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
