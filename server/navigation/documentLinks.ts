import type { DocumentLink, DocumentLinkParams } from 'vscode-languageserver';
import type { TextRange } from '../../core/finding.js';
import type { FeatureContext } from '../feature.js';
import { insideOf, treeOf } from '../jsonTree.js';
import { viewOf } from '../names/fileView.js';
import { occurrencesIn } from '../occurrences.js';
import { type OurDocument, ourDocument } from '../ours.js';

const fileKinds = ['agent', 'agent-version', 'llm', 'persona', 'prompt', 'prompt-version', 'mcp'] as const;

export function provideDocumentLinks({ textDocument }: DocumentLinkParams, context: FeatureContext): readonly DocumentLink[] | null {
  const ours = ourDocument(textDocument, context);
  if (ours === undefined) return null;
  const hasTooltips = context.client.textDocument?.documentLink?.tooltipSupport === true;
  const { document } = ours;
  return [...fileLinks(ours), ...addressLinks(ours)]
    .sort((left, right) => left.range.start - right.range.start)
    .map(({ range, target, tooltip }) => ({ range: document.rangeOf(range), target, ...(hasTooltips && { tooltip }) }));
}

interface Link {
  readonly range: TextRange;
  readonly target: string;
  readonly tooltip: string;
}

/** One link per reference, even if it contains several names; none for a reference to a missing file. */
function fileLinks({ document, project }: OurDocument): readonly Link[] {
  const configFiles = new Set(fileKinds.slice(0, -1).flatMap((kind) => (isIndexed(kind) ? [...project.index.ids(kind).values()] : [])));
  for (const path of project.index.ids('mcp').values()) configFiles.add(path);
  const links = new Map<string, Link>();
  for (const { pointer, target, leadsTo, range, isDeclaration } of occurrencesIn(document, project, { kinds: new Set(fileKinds) })) {
    if (leadsTo === undefined || isDeclaration || leadsTo === document.path || !configFiles.has(leadsTo)) continue;
    const place = `${target} ${pointer}`;
    const before = links.get(place)?.range;
    const whole = before === undefined ? range : { start: Math.min(before.start, range.start), end: Math.max(before.end, range.end) };
    links.set(place, { range: whole, target: project.uriOf(leadsTo), tooltip: `Open ${leadsTo}` });
  }
  return [...links.values()];
}

function isIndexed(kind: (typeof fileKinds)[number]): kind is 'agent' | 'llm' | 'persona' | 'prompt' {
  return kind === 'agent' || kind === 'llm' || kind === 'persona' || kind === 'prompt';
}

/** `$schema` in every file, `base_url` in an llm profile. */
function addressLinks({ document, project }: OurDocument): readonly Link[] {
  const { text, config } = document;
  const links: Link[] = [];
  const isProfile = config?.identity.kind === 'llm';
  if (!text.includes('$schema') && !(isProfile && text.includes('base_url'))) return links;
  if (config?.value === undefined && viewOf(document, project) === undefined) return links;
  const tree = treeOf(document);
  for (const { keyNode, valueNode } of tree.root?.type === 'object' ? tree.root.properties : []) {
    const isAddress = keyNode.value === '$schema' || (keyNode.value === 'base_url' && isProfile);
    if (!isAddress || valueNode?.type !== 'string' || tree.open.has(valueNode.offset)) continue;
    const range = insideOf(valueNode, tree);
    const target = webAddress(text.slice(range.start, range.end));
    if (target !== undefined) links.push({ range, target, tooltip: `Open ${target}` });
  }
  return links;
}

/** An http or https address without credentials and placeholders; undefined for anything else. */
function webAddress(written: string): string | undefined {
  if (written.includes('\\') || written.includes('${')) return undefined;
  try {
    const { protocol, username, password, href } = new URL(written);
    return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '' ? href : undefined;
  } catch {
    // The value is not an address, or not yet.
    return undefined;
  }
}
