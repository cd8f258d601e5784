import { isObject, listOf } from '../json.js';
import { isLegalName } from '../kinds.js';
import { quoted } from '../words.js';
import { anyOf, findFormat, isList, isString } from './marks.js';
import type { At, Format, OtherTool } from './types.js';
import { textField, within } from './values.js';

const formats: readonly Format[] = [
  { what: 'an A2A agent card', mark: anyOf({ protocolVersion: isString, defaultInputModes: isList, supportedInterfaces: isList }) },
];

/** A2A agent cards: they describe an agent that runs elsewhere, and hold no prompt. */
export const a2a: OtherTool = {
  id: 'a2a',
  folders: ['.well-known'],
  formats,
  importer: {
    what: 'an A2A agent card',
    shape: '.well-known/agent-card.json: name, description, skills, supportedInterfaces or url',
    example: { file: 'agent-card.json' },
    recognise({ path, value }) {
      if (!isObject(value)) return undefined;
      if (findFormat(value, formats) !== undefined) return 'sure';
      return /(?:^|\/)agent(?:-card)?\.json$/.test(path) && Array.isArray(value.skills) ? 'maybe' : undefined;
    },
    read(source, draft) {
      const { value } = source;
      if (!isObject(value)) return;
      const at: At = { source, pointer: '' };
      const description = textField(value, 'description');
      const skills = listOf(value.skills).flatMap((skill) => {
        const name = textField(skill, 'name') ?? textField(skill, 'id');
        const words = textField(skill, 'description');
        return name === undefined ? [] : [words === undefined ? `- ${name}` : `- ${name}: ${words}`];
      });
      const name = textField(value, 'name') ?? 'remote_agent';
      draft.note(
        at,
        'A card describes a remote agent, which keeps its prompt to itself: system_text is a draft made of the description and the skills, for an agent of your own. To use the remote agent itself, offer it as an MCP server and name that in client_ids.',
      );
      const unkept = [
        'url',
        'supportedInterfaces',
        'additionalInterfaces',
        'securitySchemes',
        'securityRequirements',
        'security',
        'defaultInputModes',
        'defaultOutputModes',
      ];
      for (const key of unkept)
        if (value[key] !== undefined)
          draft.note(within(at, key), `${quoted(key)} has no counterpart: it says how the remote agent is reached.`);
      const version = textField(value, 'version');
      draft.agent(
        name,
        {
          ...(description !== undefined && { description }),
          system_text: [
            `You are ${name}.${description === undefined ? '' : ` ${description}`}`,
            ...(skills.length === 0 ? [] : [`You can:\n${skills.join('\n')}`]),
          ].join('\n\n'),
        },
        at,
        { description: '/description', system_text: '/skills' },
        version !== undefined && isLegalName(version) ? version : 'v1',
      );
    },
  },
};
