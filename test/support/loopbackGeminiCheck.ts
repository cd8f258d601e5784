import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import { isObject, type JsonObject } from '../../core/json.js';
import { declaredSchema } from './declaredSchema.js';

const declarations = join(dirname(createRequire(import.meta.url).resolve('@google/genai/web')), 'web.d.ts');

/** The request as the API reference has it; what it is made of, the SDK declares. */
const request = `export interface GeminiRequest {
  contents: Content[]; systemInstruction?: Content; tools?: Tool[]; toolConfig?: ToolConfig; safetySettings?: SafetySetting[];
  generationConfig?: GenerationConfig; cachedContent?: string;
}\n`;

/**
 * The declarations of the SDK that a type is made of, in the subset `declaredSchema` reads: enums become unions of their values, classes
 * interfaces of their fields.
 */
function closure(text: string, from: string): string {
  const bare = text.replaceAll('\r\n', '\n').replace(/\/\*[\s\S]*?\*\//g, '');
  const found = new Map<string, string>();
  const pending = namesIn(from);
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (found.has(name) || from.includes(`interface ${name} `)) continue;
    const block = new RegExp(`^(?:export )?declare (interface|enum|class|type) ${name}\\b[^{;]*\\{\\n([\\s\\S]*?)^\\}`, 'm').exec(bare);
    const alias = new RegExp(`^(?:export )?declare type ${name} = ([^;{]+);`, 'm').exec(bare);
    if (block === null && alias === null) throw new Error(`the SDK does not declare ${name}`);
    const made = block === null ? `export type ${name} = ${alias![1]};\n` : rewritten(name, block[1]!, block[2]!);
    found.set(name, made);
    pending.push(...namesIn(made));
  }
  return [from, ...found.values()].join('');
}

function namesIn(declaration: string): string[] {
  return [...declaration.replace(/"[^"]*"|'[^']*'|export (interface|type) \w+/g, '').matchAll(/\b[A-Z]\w+\b/g)].map(([name]) => name);
}

function rewritten(name: string, kind: string, body: string): string {
  if (kind === 'enum') return `export type ${name} = ${[...body.matchAll(/= ("[^"]*")/g)].map(([, value]) => value).join(' | ')};\n`;
  const fields = body
    .split('\n')
    .filter((line) => /^\s+\w+\??: .*;$/.test(line))
    .map((line) => line.replaceAll(/Record<string, (\w+)>/g, '{ [key: string]: $1 }'));
  return `export interface ${name} {\n${fields.join('\n')}\n}\n`;
}

function compileCheck() {
  const folder = mkdtempSync(join(tmpdir(), 'gemini-types-'));
  try {
    const file = join(folder, 'request.d.ts');
    writeFileSync(file, closure(readFileSync(declarations, 'utf8'), request));
    return new Ajv({ strict: false }).compile(declaredSchema(file, 'GeminiRequest'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const fits = compileCheck();

/** What the Gemini API would say to a body it refuses: by the types of the SDK, and by what its documentation says beyond them. */
export function whyNoGemini(body: JsonObject, model: string): string | undefined {
  if (!fits(body)) return `Invalid JSON payload received. ${fits.errors?.[0]?.instancePath} ${fits.errors?.[0]?.message}`;
  const config = isObject(body.generationConfig) ? body.generationConfig : {};
  if (config.responseJsonSchema !== undefined && config.responseMimeType !== 'application/json')
    return 'response_json_schema is only supported with response_mime_type application/json';
  if (body.tools !== undefined && config.responseMimeType !== undefined && /gemini-[12]\./.test(model))
    return "Function calling with a response mime type: 'application/json' is unsupported";
  return wrongTurns(body.contents as readonly JsonObject[], /gemini-[3-9]/.test(model));
}

function wrongTurns(contents: readonly JsonObject[], wantsSignatures: boolean): string | undefined {
  if (contents[0]?.role !== 'user') return 'Please ensure that multiturn requests start with a user turn.';
  let open: string[] = [];
  for (const [index, { role, parts }] of contents.entries()) {
    if (role === contents[index - 1]?.role) return `contents[${index}]: roles must alternate`;
    const all = parts as readonly JsonObject[];
    if (all.length === 0) return `contents[${index}].parts must not be empty`;
    const results = all.map(({ functionResponse }) => functionResponse).filter(isObject);
    if (results.map(({ name }) => String(name)).join() !== open.join())
      return 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.';
    const calls = all.filter(({ functionCall }) => isObject(functionCall));
    if (wantsSignatures && calls[0] !== undefined && calls[0].thoughtSignature === undefined)
      return `Function call is missing a thought_signature in functionCall parts.`;
    open = calls.map(({ functionCall }) => String((functionCall as JsonObject).name));
  }
  return undefined;
}
