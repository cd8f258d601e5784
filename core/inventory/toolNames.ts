import { groupBy } from '../groupBy.js';
import { oncePerInventory } from '../otherTools/facts.js';
import { namingOf } from '../otherTools/index.js';
import type { Inventory, NamePart, NamePlace, ReadToolFile, ToolFile } from '../otherTools/toolFiles.js';
import { namesIn, serverOfTool, type ToolName, toolOfServer } from '../otherTools/toolNames.js';

/** A name, and the file that it is in. */
export interface NamedPlace {
  readonly file: ReadToolFile;
  readonly name: ToolName;
}

/** A name that fits at a place. */
export interface OfferedName {
  readonly kind: NamePart['kind'];
  readonly name: string;
  /** Where it comes from. */
  readonly from: string;
}

/** Every name in the files of an inventory. */
export const namesOf = oncePerInventory((inventory): readonly NamedPlace[] =>
  inventory.files.filter(isRead).flatMap((file) => namesIn(file).map((name) => ({ file, name }))),
);

export function isRead(file: ToolFile): file is ReadToolFile {
  return file.source !== undefined;
}

/** Definitions by those who can name them: servers by the tool or, where only one file can, by that file; agents by the tool and their name. */
const definitions = oncePerInventory((inventory) =>
  groupBy(
    namesOf(inventory)
      .filter(({ name }) => name.role === 'definition')
      .flatMap((place) => ownersOf(place).map((owner) => ({ owner, place }))),
    ({ owner }) => owner,
  ),
);

function ownersOf({ file, name }: NamedPlace): readonly string[] {
  // What a plug-in defines has other names outside of it.
  if (file.kind.isPlugin === true) return [`${file.path} ${name.kind}`];
  if (name.kind !== 'server') return [`${file.tool} agent`, `${file.tool} agent ${name.name}`];
  const isListed = file.facts.servers?.some(({ pointer }) => pointer === name.pointer);
  return [isListed ? `${file.tool} server` : `${file.path} server`];
}

/** Definitions that a file can name: its own first, then those of the same tool in its folder and those around, the nearest first. */
function definitionsFor(kind: 'server' | 'agent', file: ToolFile, inventory: Inventory, name?: string): readonly NamedPlace[] {
  const placesOf = (owner: string) => (definitions(inventory).get(owner) ?? []).map(({ place }) => place);
  const own = kind === 'server' ? placesOf(`${file.path} server`) : [];
  const shared = placesOf(name === undefined ? `${file.tool} ${kind}` : `${file.tool} ${kind} ${name}`);
  const around = shared.filter(({ file: { folder } }) => folder === '' || `${file.folder}/`.startsWith(`${folder}/`));
  return [...own, ...around.sort((left, right) => right.file.folder.length - left.file.folder.length)];
}

/** Where what a name means is defined: itself for a definition; none for models, files, tools of the program itself, and what no file defines. */
export function definitionsOf({ file, name }: NamedPlace, inventory: Inventory): readonly NamedPlace[] {
  if (name.role === 'definition') return [{ file, name }];
  if (name.kind !== 'server' && name.kind !== 'tool' && name.kind !== 'agent') return [];
  if (name.kind === 'agent') return definitionsFor('agent', file, inventory, name.name).slice(0, 1);
  const server = name.kind === 'tool' ? toolMeant({ file, name }, inventory)?.server : name.name;
  return definitionsFor('server', file, inventory)
    .filter((place) => place.name.name === server)
    .slice(0, 1);
}

/** The server that a tool belongs to, and the name that it has there. */
export function toolMeant({ file, name }: NamedPlace, inventory: Inventory): ReturnType<typeof serverOfTool> {
  const servers = definitionsFor('server', file, inventory).map((place) => place.name.name);
  const naming = namingOf(file.tool);
  return naming && serverOfTool(naming, name.name, servers);
}

/** Names of each thing that is defined, and of what is not defined, by its kind and spelling. */
const uses = oncePerInventory((inventory) => groupBy(namesOf(inventory), (place) => keyOf(definitionsOf(place, inventory)[0] ?? place)));

function keyOf({ file, name }: NamedPlace): string {
  if (name.role === 'definition') return `${file.path} ${name.pointer}`;
  return name.kind === 'model' ? `model ${name.name}` : `${file.tool} ${name.kind} ${name.path ?? name.name}`;
}

/** Every place that names the same, and for a server the other lists of its folder that define one of this name. */
export function samePlaces(place: NamedPlace, inventory: Inventory): readonly NamedPlace[] {
  const [definition = place] = definitionsOf(place, inventory);
  const twins = definition.name.kind === 'server' ? serversCalled(definition, inventory) : [definition];
  return [...new Set([definition, ...twins].flatMap((twin) => uses(inventory).get(keyOf(twin)) ?? []))];
}

function serversCalled({ file, name }: NamedPlace, inventory: Inventory): readonly NamedPlace[] {
  return namesOf(inventory).filter(
    ({ file: { folder }, name: twin }) =>
      twin.kind === 'server' && twin.role === 'definition' && twin.name === name.name && folder === file.folder,
  );
}

/** Whether a name is one of the tool's own: a built-in tool, or a word that stands for a model. */
export function isOwnName({ file, name }: NamedPlace): boolean {
  return (file.kind.names ?? []).some(({ kind, offers }) => kind === name.kind && offers?.includes(name.name));
}

/** The tools of each server that some file names, by the folder and the name of the server. */
const knownTools = oncePerInventory((inventory) => {
  const byServer = new Map<string, Set<string>>();
  for (const place of namesOf(inventory)) {
    const meant = place.name.kind === 'tool' ? toolMeant(place, inventory) : undefined;
    const [definition] = meant?.tool === undefined ? [] : definitionsOf(place, inventory);
    if (meant?.tool === undefined || definition === undefined) continue;
    const key = `${definition.file.folder} ${meant.server}`;
    byServer.set(key, (byServer.get(key) ?? new Set()).add(meant.tool));
  }
  return byServer;
});

/** What a tool takes at a place: names of its own, and those that its files define. A name may be in the list twice. */
export function namesFor(place: NamePlace, kind: NamePart['kind'], file: ReadToolFile, inventory: Inventory): readonly OfferedName[] {
  const naming = namingOf(file.tool);
  const offer = (name: string, from: string): OfferedName => ({ kind, name, from });
  const own = (kind === place.kind ? (place.offers ?? []) : []).map((name) => offer(name, naming?.title ?? file.tool));
  if (kind === 'model') {
    const others = namesOf(inventory).filter(
      ({ file: { tool, path }, name }) => name.kind === kind && tool === file.tool && path !== file.path,
    );
    return [...own, ...others.map((other) => offer(other.name.name, other.file.path))];
  }
  const defined = kind === 'agent' ? 'agent' : 'server';
  // What is being typed may be in no inventory.
  const mine = namesIn(file).filter((name) => name.role === 'definition' && name.kind === defined);
  const takesLists = kind === 'agent' || (file.kind.takesLists?.(file.source.value) ?? true);
  const around = takesLists ? definitionsFor(defined, file, inventory).filter((other) => other.file.path !== file.path) : [];
  const usable = [...mine.map((name): NamedPlace => ({ file, name })), ...around];
  // The one agent of a file does not call itself.
  if (kind === 'agent')
    return usable
      .filter((other) => other.file !== file || other.name.target === 'key')
      .map((other) => offer(other.name.name, other.file.path));
  if (kind === 'server' || naming === undefined) return [...own, ...usable.map((other) => offer(other.name.name, other.file.path))];
  const toolsOf = (server: NamedPlace) => [...(knownTools(inventory).get(`${server.file.folder} ${server.name.name}`) ?? [])].sort();
  return [
    ...own,
    ...usable.flatMap((server) =>
      [undefined, ...toolsOf(server)].map((tool) => offer(toolOfServer(naming, server.name.name, tool), server.file.path)),
    ),
  ];
}
