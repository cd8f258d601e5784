import { groupBy } from '../groupBy.js';
import { isObject, type Json, type JsonObject, listOf, pointerOf } from '../json.js';
import { isLegalName } from '../kinds.js';
import { didYouMean, nearestNames, suggest } from '../names.js';
import { listed, quoted } from '../words.js';
import { snakeCase } from './mark.js';
import { anyOf, findFormat, isList, isString } from './marks.js';
import type { OwnFile, ToolRule } from './toolFiles.js';
import type { At, Format, OtherTool } from './types.js';
import { textField, within } from './values.js';

const formats: readonly Format[] = [
  { what: 'an A2A agent card', mark: anyOf({ protocolVersion: isString, defaultInputModes: isList, supportedInterfaces: isList }) },
];

/** Fields that a card has in every version since 0.2. */
const commonFields = ['name', 'description', 'version', 'capabilities', 'skills', 'defaultInputModes', 'defaultOutputModes'];

const fieldsOf = { '0.3': [...commonFields, 'url'], '1.0': [...commonFields, 'supportedInterfaces'], unknown: commonFields } as const;

/** Several of these together are a card, wherever it is kept. */
const cardMarks = ['protocolVersion', 'url', 'supportedInterfaces', 'capabilities', 'skills', 'defaultInputModes', 'defaultOutputModes'];

const wellKnown = '.well-known/agent-card.json';
const earlierPlace = '.well-known/agent.json';

const files: readonly OwnFile[] = [wellKnown, earlierPlace, '*agent-card.json', '*agent_card.json', '*AgentCard.json'].map((place) => ({
  place,
  words: ['A2A agent card', 'A2A agent cards'],
  isOwn: ({ source, path }) =>
    source === undefined
      ? path.endsWith(wellKnown)
      : isObject(source.value) && cardMarks.filter((key) => has(source.value, key)).length > 2,
  facts: ({ path }) => ({ files: path.endsWith(earlierPlace) ? [currentPlace(path)] : [] }),
}));

function currentPlace(path: string): string {
  return `${path.slice(0, -earlierPlace.length)}${wellKnown}`;
}

/** Whether an object has a field. The SDK for Python takes the names of Python as well. */
function has(value: Json, key: string): boolean {
  return isObject(value) && [key, snakeCase(key)].some((name) => value[name] !== undefined && value[name] !== null);
}

/** The version of A2A that a card is written for. */
function versionOf(card: Json): keyof typeof fieldsOf {
  const version = textField(card, 'protocolVersion') ?? '';
  if (has(card, 'supportedInterfaces') || /^1\b/.test(version)) return '1.0';
  return /^0\.[23]\b/.test(version) ? '0.3' : 'unknown';
}

function entriesOf(card: Json, key: string): readonly { readonly entry: Json; readonly pointer: string }[] {
  const list = isObject(card) ? card[key] : undefined;
  return listOf(Array.isArray(list) ? list : undefined).map((entry, index) => ({ entry, pointer: pointerOf(key, index) }));
}

const sdk = { address: 'https://github.com/a2aproject/a2a-python/blob/main/src/a2a/client/card_resolver.py', date: '2026-11-27' };

const specification = { address: 'https://a2a-protocol.org/latest/specification/', date: '2026-11-27' };

const cardIncomplete: ToolRule = {
  code: 'a2a/card-incomplete',
  tool: 'a2a',
  severity: 'error',
  source: specification,
  check({ source: { value: card } }, _inventory, report) {
    const version = versionOf(card);
    // Version 0.1 had authentication, and defaults for most fields.
    if (version === 'unknown' && has(card, 'authentication')) return;
    const tell = (pointer: string, what: string, missing: readonly string[]) => {
      if (missing.length === 0) return;
      const since = version === '1.0' ? 'A2A 1.0 requires' : 'every version of A2A since 0.2 requires';
      report({
        pointer,
        ...(version !== '0.3' && { severity: 'warning' as const }),
        message:
          version === '0.3'
            ? `${what} no ${listed(missing)}, and clients made with the SDK for Python of this version refuse the whole card. Add what is missing.`
            : `${what} no ${listed(missing)}, which ${since}. Add what is missing: clients may refuse the card.`,
      });
    };
    tell('', 'The card has', missingIn(card, fieldsOf[version]));
    for (const [key, what, fields] of entryFields) {
      const entries = entriesOf(card, key).filter(({ entry }) => isObject(entry) && missingIn(entry, fields).length > 0);
      for (const alike of groupBy(entries, ({ entry }) => missingIn(entry, fields).join()).values()) {
        const [first] = alike;
        if (first === undefined) continue;
        const names = listed(
          alike.map(({ entry, pointer }) => textField(entry, 'name') ?? textField(entry, 'id') ?? pointer),
          'and',
          3,
        );
        tell(first.pointer, `${what} ${names} ${alike.length === 1 ? 'has' : 'have'}`, missingIn(first.entry, fields));
      }
    }
  },
};

function missingIn(value: Json, fields: readonly string[]): readonly string[] {
  return fields.filter((key) => !has(value, key));
}

const skillFields = ['id', 'name', 'description', 'tags'];

const entryFields = [
  ['skills', 'Of the skills,', skillFields],
  ['additionalInterfaces', 'Of the interfaces,', ['url', 'transport']],
] as const;

const textFields = ['name', 'description', 'version', 'url', 'protocolVersion', 'preferredTransport'];
const listFields = ['skills', 'defaultInputModes', 'defaultOutputModes', 'supportedInterfaces', 'additionalInterfaces'];
const objectFields = ['capabilities', 'provider', 'securitySchemes'];

const valueInvalid: ToolRule = {
  code: 'a2a/value-invalid',
  tool: 'a2a',
  severity: 'error',
  source: sdk,
  check({ source: { value: card } }, _inventory, report) {
    const expect = (holder: Json, around: string, keys: readonly string[], what: string, isRight: (value: Json) => boolean) => {
      for (const key of keys) {
        const value = isObject(holder) ? holder[key] : undefined;
        if (value === undefined || value === null || isRight(value)) continue;
        report({
          pointer: around + pointerOf(key),
          message: `${quoted(key)} has to be ${what}: clients refuse the card, or read nothing here.`,
        });
      }
    };
    expect(card, '', textFields, 'a text', (value) => typeof value === 'string');
    expect(card, '', listFields, 'a list', Array.isArray);
    expect(card, '', objectFields, 'an object', isObject);
    for (const { entry, pointer } of entriesOf(card, 'skills')) {
      if (!isObject(entry))
        report({ pointer, message: `A skill has to be an object with ${listed(skillFields)}: clients refuse the card.` });
      expect(entry, pointer, ['id', 'name', 'description'], 'a text', (value) => typeof value === 'string');
      expect(entry, pointer, ['tags', 'examples', 'inputModes', 'outputModes'], 'a list', Array.isArray);
    }
  },
};

const transports = ['JSONRPC', 'GRPC', 'HTTP+JSON'];

const interfaceUnusable: ToolRule = {
  code: 'a2a/interface-unusable',
  tool: 'a2a',
  severity: 'error',
  source: { address: 'https://github.com/a2aproject/a2a-python/blob/main/src/a2a/client/client_factory.py', date: '2026-11-27' },
  check({ source: { value: card } }, _inventory, report) {
    const near = (value: Json | undefined, pointer: string) => {
      if (typeof value !== 'string' || transports.includes(value) || value.includes('/')) return;
      const nearest = nearestNames(value, transports, 1);
      if (nearest.length === 0) return;
      report({
        pointer,
        severity: 'warning',
        message: `Clients compare the transport letter by letter and know no ${quoted(value)}, so they do not use this address.${didYouMean(nearest)}`,
      });
    };
    for (const { entry, pointer } of entriesOf(card, 'supportedInterfaces')) {
      const missing = ['url', 'protocolBinding'].filter((key) => !has(entry, key));
      if (missing.length > 0)
        report({
          pointer,
          message: `This interface has no ${listed(missing)}, so no client of A2A 1.0 can use it.${has(entry, 'transport') ? ' What was "transport" in 0.3 is "protocolBinding" in 1.0.' : ''}`,
        });
      if (isObject(entry)) near(entry.protocolBinding, `${pointer}/protocolBinding`);
    }
    if (isObject(card)) near(card.preferredTransport, '/preferredTransport');
    for (const { entry, pointer } of entriesOf(card, 'additionalInterfaces'))
      if (isObject(entry)) near(entry.transport, `${pointer}/transport`);
  },
};

const placeEarlier: ToolRule = {
  code: 'a2a/place-earlier',
  tool: 'a2a',
  severity: 'warning',
  source: { address: 'https://github.com/a2aproject/A2A/issues/841', date: '2026-11-27' },
  check({ path, source: { value: card } }, inventory, report) {
    const isNewer = versionOf(card) === '1.0' || /^0\.[3-9]/.test(textField(card, 'protocolVersion') ?? '');
    if (!isNewer || !path.endsWith(earlierPlace) || inventory.exists(currentPlace(path)) !== false) return;
    report({
      pointer: '',
      message: `Since A2A 0.3, clients look for the card at ${wellKnown}, and not here. Move it there, unless the server answers for it at that address.`,
    });
  },
};

const schemeUnknown: ToolRule = {
  code: 'a2a/scheme-unknown',
  tool: 'a2a',
  severity: 'warning',
  source: specification,
  check({ source: { value: card } }, _inventory, report) {
    if (!isObject(card)) return;
    const schemes = isObject(card.securitySchemes) ? Object.keys(card.securitySchemes) : [];
    for (const { entry, pointer } of [...entriesOf(card, 'security'), ...entriesOf(card, 'securityRequirements')]) {
      const isNested = isObject(entry) && isObject(entry.schemes);
      for (const name of Object.keys(isNested ? (entry.schemes as JsonObject) : isObject(entry) ? entry : {}))
        if (!schemes.includes(name))
          report({
            pointer: `${pointer}${isNested ? '/schemes' : ''}${pointerOf(name)}`,
            target: 'key',
            message: `"securitySchemes" has no ${quoted(name)}, so no client knows how to log in.${suggest(nearestNames(name, schemes, 1), schemes)}`,
          });
    }
  },
};

/** What Google Cloud's Agent Registry takes. */
const mostBytes = 10 * 1024;

const cardLarge: ToolRule = {
  code: 'a2a/card-large',
  tool: 'a2a',
  severity: 'warning',
  source: { address: 'https://docs.cloud.google.com/agent-registry/troubleshooting', date: '2026-11-27' },
  check({ source: { text, value } }, _inventory, report) {
    const sizeOf = (of: string) => new TextEncoder().encode(of).length;
    if (sizeOf(text) <= mostBytes) return;
    const isSmall = sizeOf(JSON.stringify(value)) <= mostBytes;
    report({
      pointer: '',
      range: { start: 0, end: 1 },
      message: `The card has more than 10 KB, and Google Cloud's Agent Registry refuses it when it is registered by hand. ${isSmall ? 'Without spaces and line breaks it is small enough.' : 'Shorten its descriptions, or register its address.'}`,
    });
  },
};

const rules: readonly ToolRule[] = [cardIncomplete, valueInvalid, interfaceUnusable, placeEarlier, schemeUnknown, cardLarge];

/** A2A agent cards: they describe an agent that runs elsewhere, and hold no prompt. */
export const a2a: OtherTool = {
  id: 'a2a',
  folders: ['.well-known'],
  files,
  rules,
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
        'preferredTransport',
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
