import type { JsonObject } from '../json.js';

/** A tool that every project has, as a prompt describes it. It is implemented in `core/tools/builtIn`. */
export interface BuiltInTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input, root type object. */
  readonly parameters: JsonObject;
  /** Inputs that show how it is used. */
  readonly examples: readonly JsonObject[];
  readonly idempotent: boolean;
  readonly side_effects: boolean;
  /** Whether each call has to be allowed: it sends what the model wrote to another server. */
  readonly needs_approval: boolean;
}

/** Changes nothing, so retries are harmless. */
const readOnly = { idempotent: true, side_effects: false, needs_approval: false } as const;

const folder = {
  type: 'string',
  description: 'Folder or file to look in, relative to the project, such as "docs". Default: the whole project.',
};
const page = {
  from_line: { type: 'integer', minimum: 1, description: 'Line to begin with, 1 for the first. Default 1.' },
  offset: { type: 'integer', minimum: 0, description: 'In place of from_line: next_offset of the page before.' },
};

/** Every built-in tool, in the order prompts and completion list them. Names never change. */
export const builtInTools: readonly BuiltInTool[] = [
  {
    name: 'search_files',
    description:
      'Finds lines in the text files of the project. Each result is a file id (its path in the project), a line number and the line. Read more of a file with fetch_document and its id.',
    parameters: object(
      {
        query: { type: 'string', minLength: 1, maxLength: 500, description: 'Text to find, or a regular expression with is_regex.' },
        is_regex: {
          type: 'boolean',
          description: 'Whether query is a regular expression, without lookaround and backreferences. Default false.',
        },
        case_sensitive: { type: 'boolean', description: 'Default false.' },
        path: folder,
        max_results: { type: 'integer', minimum: 1, maximum: 100, description: 'Default 20.' },
      },
      ['query'],
    ),
    examples: [{ query: 'retry_attempts' }, { query: '^## .*install', is_regex: true, path: 'docs' }],
    ...readOnly,
  },
  {
    name: 'search_metadata',
    description:
      'Finds documents of the project by what is known about them: title, headings, tags, kind, description and file name, taken from front matter, headings and JSON fields. Each result has an id for fetch_document.',
    parameters: object({
      query: { type: 'string', minLength: 1, maxLength: 500, description: 'Words that must all be there, in any order.' },
      title: { type: 'string', minLength: 1, maxLength: 200, description: 'Text the title must contain.' },
      tags: { type: 'array', items: { type: 'string', minLength: 1 }, maxItems: 20, description: 'Tags the document must all have.' },
      kind: {
        type: 'string',
        minLength: 1,
        description:
          'Kind of document: "kind" or "type" of its front matter or JSON, else markdown, json, text or the ending of its file name.',
      },
      path: folder,
      max_results: { type: 'integer', minimum: 1, maximum: 100, description: 'Default 20.' },
    }),
    examples: [{ query: 'getting started' }, { tags: ['billing'], kind: 'markdown' }],
    ...readOnly,
  },
  {
    name: 'fetch_document',
    description:
      'Reads a document by the id that a search returned, page by page. What is read counts as a source of the answer. The result says how to get the next page.',
    parameters: object({ id: { type: 'string', minLength: 1, description: 'Id from search_files or search_metadata.' }, ...page }, ['id']),
    examples: [{ id: 'README.md' }, { id: 'docs/guide.md', from_line: 120 }],
    ...readOnly,
  },
  {
    name: 'read_file',
    description: 'Reads a text file of the project by its path, page by page. Files that hold keys or passwords are refused.',
    parameters: object({ path: { type: 'string', minLength: 1, description: 'Path relative to the project, with "/".' }, ...page }, [
      'path',
    ]),
    examples: [{ path: 'package.json' }],
    ...readOnly,
  },
  {
    name: 'calculator',
    description:
      'Works out an arithmetic expression. Has + - * / % ^, parentheses, pi, e, and sqrt, cbrt, abs, round, floor, ceil, trunc, sign, min, max, sum, mean, exp, ln, log10, log2, sin, cos, tan, asin, acos, atan (radians). Whole numbers are exact.',
    parameters: object({ expression: { type: 'string', minLength: 1, maxLength: 1000, description: 'For example "(2 + 3) * 4 ^ 2".' } }, [
      'expression',
    ]),
    examples: [{ expression: '(1250 - 980) / 980 * 100' }, { expression: 'round(sqrt(2), 4)' }],
    ...readOnly,
  },
  {
    name: 'current_time',
    description: 'Tells the date, the weekday and the time.',
    parameters: object({
      time_zone: { type: 'string', minLength: 1, maxLength: 64, description: 'IANA time zone such as "Europe/Berlin". Default "UTC".' },
    }),
    examples: [{}, { time_zone: 'America/New_York' }],
    ...readOnly,
  },
  {
    name: 'list_resources',
    description: 'Lists the resources and prompts that the MCP servers of this agent offer, with what read_resource and get_prompt need.',
    parameters: object({
      query: { type: 'string', minLength: 1, maxLength: 200, description: 'Text that name, title, address or description must contain.' },
    }),
    examples: [{}, { query: 'schema' }],
    ...readOnly,
  },
  {
    name: 'read_resource',
    description: 'Reads a resource of an MCP server. What is read counts as a source of the answer.',
    parameters: object(
      {
        client_id: { type: 'string', minLength: 1, description: 'Server, as list_resources names it.' },
        uri: { type: 'string', minLength: 1, description: 'Address, as list_resources gives it.' },
      },
      ['client_id', 'uri'],
    ),
    examples: [{ client_id: 'notes', uri: 'notes://today' }],
    ...readOnly,
    needs_approval: true,
  },
  {
    name: 'get_prompt',
    description: 'Gets a prompt that an MCP server offers, with its arguments filled in.',
    parameters: object(
      {
        client_id: { type: 'string', minLength: 1, description: 'Server, as list_resources names it.' },
        name: { type: 'string', minLength: 1, description: 'Name, as list_resources gives it.' },
        arguments: { type: 'object', additionalProperties: { type: 'string' }, description: 'A text for each argument of the prompt.' },
      },
      ['client_id', 'name'],
    ),
    examples: [{ client_id: 'notes', name: 'summary', arguments: { length: 'short' } }],
    ...readOnly,
    needs_approval: true,
  },
];

function object(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false };
}
