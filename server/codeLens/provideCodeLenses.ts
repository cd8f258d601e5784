import type { CodeLens, CodeLensParams } from 'vscode-languageserver';
import { tasksIn, teamsIn } from '../../core/config/orchestrationParts.js';
import { isObject, type Json, pointerOf } from '../../core/json.js';
import type { FeatureContext } from '../feature.js';
import { type FileView, viewOf } from '../names/fileView.js';
import { ourDocument } from '../ours.js';
import { endPlaces } from './endTitle.js';
import type { LensData, LensSubject } from './lensData.js';
import { hasTools } from './permitTitle.js';

/** Each lens takes a separate request to resolve, so their number is limited. */
const mostLenses = 500;

interface Place {
  readonly pointer: string;
  /** The lens is at the start of the file when nothing exists at the pointer. */
  readonly orStart?: true;
  readonly subject: LensSubject;
}

/** The places of lenses. Their titles are computed when they become visible. */
export function provideCodeLenses({ textDocument }: CodeLensParams, context: FeatureContext): readonly CodeLens[] | null {
  if (!context.settings.codeLens.enabled) return [];
  const ours = ourDocument(textDocument, context);
  const view = ours && viewOf(ours.document, ours.project);
  if (view === undefined) return null;
  // Of models that end soon. The others have no lens, which would stay empty.
  const ends = endPlaces(view).map((pointer): Place => ({ pointer, subject: { type: 'end', pointer } }));
  const places = [...identityPlaces(view), ...textPlaces(view), ...ends].slice(0, mostLenses);
  const located = view.locate(new Set(places.map(({ pointer }) => pointer)));
  const { document } = view;
  return places.flatMap(({ pointer, orStart, subject }) => {
    const place = located.get(pointer);
    if (place === undefined && orStart === undefined) return [];
    const range = (pointer === '' ? undefined : (place?.key ?? place?.value)) ?? { start: 0, end: 0 };
    const data: LensData = { uri: textDocument.uri, subject };
    return [{ range: document.rangeOf(range), data }];
  });
}

/** The file and the parts of it that others may refer to. */
function identityPlaces(view: FileView): readonly Place[] {
  const { file, value } = view;
  const { kind, id } = file.identity;
  const permits = (pointer: string): readonly Place[] => (hasTools(view) ? [{ pointer, orStart: true, subject: { type: 'permits' } }] : []);
  switch (kind) {
    case 'agent':
      return [
        // The cost first: a narrow editor cuts the row.
        { pointer: '/agent_name', orStart: true, subject: { type: 'cost' } },
        { pointer: '/agent_name', orStart: true, subject: { type: 'file', kind, id } },
        ...permits('/agent_name'),
      ];
    case 'llm':
      return [{ pointer: '/llm_id', orStart: true, subject: { type: 'file', kind, id } }];
    case 'prompt':
      return [{ pointer: '/name', orStart: true, subject: { type: 'file', kind, id } }];
    case 'persona':
      return [{ pointer: '', orStart: true, subject: { type: 'file', kind, id } }];
    case 'mcp':
      return isObject(value.servers)
        ? Object.keys(value.servers).map((name) => ({ pointer: pointerOf('servers', name), subject: { type: 'file', kind, id: name } }))
        : [];
    case 'orchestration':
      return [{ pointer: '/name', orStart: true, subject: { type: 'cost' } }, ...permits('/name'), ...teamPlaces(view)];
    default:
      return [];
  }
}

function teamPlaces({ file, value }: FileView): readonly Place[] {
  return teamsIn(value).flatMap((team) => [
    { pointer: team.pointer, subject: { type: 'cost', team: team.id } } as const,
    { pointer: team.pointer, subject: { type: 'entity', entity: { kind: 'team', file: file.path, name: team.id } } } as const,
    ...tasksIn(team).flatMap(({ name, pointer }): Place[] => {
      if (name === undefined) return [];
      return [{ pointer: `${pointer}/name`, subject: { type: 'entity', entity: { kind: 'task', file: file.path, team: team.id, name } } }];
    }),
  ]);
}

/** The texts that are sent to a model. */
function textPlaces({ file, value }: FileView): readonly Place[] {
  const places: Place[] = [];
  const add = (owner: Json | undefined, at: string, fields: readonly string[]) => {
    if (!isObject(owner)) return;
    for (const field of fields) {
      const text = owner[field];
      if (typeof text === 'string' && text.trim() !== '')
        places.push({ pointer: `${at}/${field}`, subject: { type: 'text', pointer: `${at}/${field}` } });
    }
  };
  const ofAgents = ['system_text', 'purpose_text', 'user_text'];
  switch (file.identity.kind) {
    case 'agent':
    case 'persona':
      add(value, '', ofAgents);
      break;
    case 'llm':
      add(value, '', ['default_system_prompt']);
      break;
    case 'prompt':
      add(value, '', ['template']);
      break;
    case 'system':
      for (const part of ['agent_defaults', 'persona_defaults']) add(value[part], pointerOf(part), ofAgents);
      if (isObject(value.agents))
        for (const [name, fields] of Object.entries(value.agents)) add(fields, pointerOf('agents', name), ofAgents);
      break;
    case 'orchestration':
      for (const team of teamsIn(value)) for (const task of tasksIn(team)) add(task.value.config, `${task.pointer}/config`, ofAgents);
      break;
    default:
  }
  return places;
}
