import type { ToolLabels } from '../../generated/types.js';

/** A well-known MCP server. */
export interface CatalogueEntry {
  readonly title: string;
  /** Names of the npm and PyPI packages and container images that start it, without version. `git+https://...`: what `uvx --from` names. */
  readonly packages: readonly string[];
  readonly hosts: readonly string[];
  /** The page or source that names its tools; with a commit, at that commit. */
  readonly source: string;
  /** The day on which that was read. */
  readonly read: string;
  /** Its tools read and write files of the machine, so that what one writes another may read. */
  readonly files?: true;
  readonly tools: Readonly<Record<string, ToolLabels>>;
}

/**
 * @param startedBy its packages, images and addresses, with space between
 * @param readSource the day and the source, `2026-11-27 https://...`
 * @param namesByLabels the names of its tools by what they do, `{ 'private untrusted': 'get_issue list_issues' }`; `''` is none of the labels
 */
export function server(
  title: string,
  startedBy: string,
  readSource: string,
  namesByLabels: Readonly<Record<string, string>>,
): CatalogueEntry {
  const [read = '', source = ''] = readSource.split(' ');
  const starts = startedBy.split(/\s+/);
  const isAddress = (word: string) => word.startsWith('https://');
  const hosts = starts.filter(isAddress).map((address) => address.slice('https://'.length));
  return { title, packages: starts.filter((word) => !isAddress(word)), hosts, source, read, tools: labelTools(namesByLabels) };
}

/** A server whose tools read and write files of the machine. */
export function fileServer(...entry: Parameters<typeof server>): CatalogueEntry {
  return { ...server(...entry), files: true };
}

function labelTools(namesByLabels: Readonly<Record<string, string>>): CatalogueEntry['tools'] {
  const labelled: Record<string, ToolLabels> = {};
  for (const [words, names] of Object.entries(namesByLabels)) {
    const labels: ToolLabels = Object.assign({}, ...words.split(' ').map(labelsOf));
    for (const name of names.split(/\s+/)) {
      if (Object.hasOwn(labelled, name)) throw new Error(`${name} is listed twice.`);
      labelled[name] = labels;
    }
  }
  return labelled;
}

function labelsOf(word: string): ToolLabels {
  switch (word) {
    case '':
      return {};
    case 'public':
    case 'private':
      return { reads: word };
    case 'destroys':
      return { changes: true, destroys: true };
    case 'untrusted':
    case 'sends':
    case 'changes':
    case 'runs_code':
      return { [word]: true };
    default:
      throw new Error(`${word} is not a label.`);
  }
}
