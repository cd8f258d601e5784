import * as l10n from '@vscode/l10n';
import type { CodeLens, Command, Location } from 'vscode-languageserver';
import type { Reference } from '../../core/config/projectIndex.js';
import { isObject } from '../../core/json.js';
import { locate } from '../../core/jsonText/locate.js';
import { hasCommand } from '../capabilities.js';
import type { FeatureContext } from '../feature.js';
import { findOccurrences } from '../occurrences.js';
import { number } from '../texts.js';
import type { Project } from '../workspace.js';
import { costTitle } from './costTitle.js';
import { endTitleAt } from './endTitle.js';
import type { LensData, LensSubject } from './lensData.js';
import { permitTitle } from './permitTitle.js';
import { tokenTitle } from './tokenTitle.js';

/** The client command that shows places, where the client has one. */
const showReferences = 'agentStack.showReferences';

/** The lens with its title, which is empty when its subject is gone. */
export async function resolveCodeLens(lens: CodeLens, context: FeatureContext): Promise<CodeLens> {
  const data: unknown = lens.data;
  if (!isLensData(data)) return lens;
  const project = context.workspace.projectOf(data.uri);
  if (project === undefined) return { ...lens, command: wordsOnly('') };
  const { subject } = data;
  if (subject.type === 'text') return { ...lens, command: wordsOnly((await tokenTitle(data.uri, subject.pointer, context)) ?? '') };
  await context.workspace.ready(context.signal);
  if (subject.type === 'end') return { ...lens, command: wordsOnly(endTitleAt(data.uri, subject.pointer, context) ?? '') };
  if (subject.type === 'permits') return { ...lens, command: wordsOnly((await permitTitle(data.uri, context)) ?? '') };
  if (subject.type === 'cost') return { ...lens, command: wordsOnly((await costTitle(data.uri, subject.team, context)) ?? '') };
  const usage = subject.type === 'file' ? usageOfFile(subject, project) : await usageOfEntity(subject, project, context);
  const title = titleOf(usage);
  const places = hasCommand(context.client, showReferences) ? usage.places() : [];
  if (places.length === 0) return { ...lens, command: wordsOnly(title) };
  return { ...lens, command: { title, command: showReferences, arguments: [data.uri, lens.range.start, places] } };
}

interface Usage {
  /** Places where the name is written. */
  readonly count: number;
  readonly samples: number;
  /** Agents and personas that use this profile because they name no model. */
  readonly byDefault: number;
  readonly places: () => Location[];
}

function usageOfFile({ kind, id }: LensSubject & { type: 'file' }, project: Project): Usage {
  const { index } = project;
  const all = [...index.referencesTo(kind, id)];
  if (kind === 'agent') all.push(...namelessReferences(id, project));
  const ofPayloads = all.filter(({ file, pointer }) => pointer === '' && index.identityOf(file)?.kind === 'payload');
  const written = all.filter(({ pointer }) => pointer !== '');
  return {
    count: written.length,
    samples: ofPayloads.length,
    byDefault: kind === 'llm' ? all.length - written.length - ofPayloads.length : 0,
    places: () => locationsOf(written, project),
  };
}

/** References to an agent without a version. In system.json and payloads they mean all versions, elsewhere the newest. */
function namelessReferences(id: string, { index }: Project): readonly Reference[] {
  const at = id.indexOf('@');
  const [name, version] = [id.slice(0, at), id.slice(at + 1)];
  const isNewest = index.versions(name).at(-1) === version;
  return index.referencesTo('agent', name).filter(({ file }) => {
    const kind = index.identityOf(file)?.kind;
    return isNewest || kind === 'system' || kind === 'payload';
  });
}

async function usageOfEntity({ entity }: LensSubject & { type: 'entity' }, project: Project, context: FeatureContext): Promise<Usage> {
  const occurrences = await findOccurrences(entity, project, context);
  const places = occurrences.places.filter(({ isDeclaration }) => !isDeclaration);
  const locations = () => places.map(({ document, range }) => ({ uri: document.uri, range: document.rangeOf(range) }));
  return { count: places.length, samples: 0, byDefault: 0, places: locations };
}

function locationsOf(references: readonly Reference[], project: Project): Location[] {
  return [...new Set(references.map(({ file }) => file))].flatMap((file) => {
    const document = project.documentAt(file);
    if (document === undefined) return [];
    const pointers = references.filter((reference) => reference.file === file).map(({ pointer }) => pointer);
    return [...locate(document.text, pointers).values()].map(({ key, value }) => ({
      uri: document.uri,
      // In system.json the key names the agent.
      range: document.rangeOf(document.text[value.start] === '"' ? value : (key ?? value)),
    }));
  });
}

function titleOf({ count, samples, byDefault }: Usage): string {
  const parts = [count === 1 ? l10n.t('1 reference') : count === 0 ? l10n.t('no references') : l10n.t('{0} references', number(count))];
  if (byDefault > 0) parts.push(byDefault === 1 ? l10n.t('default of 1 file') : l10n.t('default of {0} files', number(byDefault)));
  if (samples > 0) parts.push(samples === 1 ? l10n.t('1 payload') : l10n.t('{0} payloads', number(samples)));
  return parts.join(' · ');
}

/** Editors show a lens with an empty command as text. */
function wordsOnly(title: string): Command {
  return { title, command: '' };
}

/** The data comes back from the client, so its shape is checked. */
function isLensData(data: unknown): data is LensData {
  return isObject(data) && typeof data.uri === 'string' && isObject(data.subject);
}
