import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';

const check = checkRule('output-schema-invalid');

test('what the dialect refuses is marked where it is, with the nearest value', () =>
  check(`{
  "output_schema": {
    "type": "object",
    "properties": {
      "tone": { "type": "strng" },
//                      ^^^^^^^ output-schema-invalid "strng" is not one of "array", "boolean", "integer", "null", "number", "object", "string". Did you mean "string"?
      "depth": { "type": "string", "required": true },
//                                             ^^^^ output-schema-invalid output_schema.properties.depth.required must be a list, not true.
      "score": { "type": "number", "minimum": "0" },
//                                            ^^^ output-schema-invalid must be a number, not "0".
      "both": { "type": ["string", "nul"] },
//                                 ^^^^^ output-schema-invalid Did you mean "null"?
      "items": { "type": "array", "items": "string" },
//                                         ^^^^^^^^ output-schema-invalid
      "none": { "enum": [] }
//                      ^^ output-schema-invalid output_schema.properties.none.enum must not be empty
    }
  }
}`));

test('2020-12 is judged by its own rules', () =>
  check(`{
  "output_schema": {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "properties": { "pair": { "prefixItems": [{ "type": "string" }], "items": [{ "type": "string" }] } }
//                                                                            ^^^^^^^^^^^^^^^^^^^^^^ output-schema-invalid
  }
}`));

test('the root must be an object', () =>
  check(`--- config/agents/A2/v1.json
{ "output_schema": { "type": "array", "items": {} } }
//                           ^^^^^^^ output-schema-invalid An answer is always an object, but the root of output_schema has the type "array".
--- config/agents/A3/v1.json
{ "output_schema": { "properties": {} } }
//^^^^^^^^^^^^^^^ output-schema-invalid Add "type": "object".
--- config/agents/A4/v1.json
{ "output_schema": { "$ref": "#/$defs/a", "$defs": { "a": { "type": "object" } } } }
--- config/agents/A5/v1.json
{ "output_schema": { "type": "objct" } }
//                           ^^^^^^^ output-schema-invalid Did you mean "object"?
--- config/agents/A6/v1.json
{ "output_schema": { "type": ["object"] }, "input_schema": { "required": [] } }
--- config/agents/A7/v1.json
{ "output_schema": { "type": ["object", "null"] }, "input_schema": { "type": "string" } }
//                           ^^^^^^^^^^^^^^^^^^ output-schema-invalid
//                                                                           ^^^^^^^^ output-schema-invalid A payload is always an object`));

test('references must lead somewhere inside the schema', () =>
  check(`{
  "output_schema": {
    "type": "object",
    "properties": {
      "a": { "$ref": "#/$defs/ton" },
//                   ^^^^^^^^^^^^^ output-schema-invalid $ref must refer to a schema, but nothing is at "#/$defs/ton". Did you mean "#/$defs/tone"?
      "b": { "$ref": "https://example.com/schema.json" },
//                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ output-schema-invalid must refer to a place in this schema
      "c": { "$ref": "#/$defs/x" },
      "d": { "$ref": "#/$defs/tone" },
      "e": { "$ref": "#named" },
      "f": { "$ref": "#" },
      "$ref": { "type": "string" }
    },
    "$defs": {
      "tone": { "type": "string" },
      "x": { "$ref": "#/$defs/y" },
      "y": { "$ref": "#/$defs/x" },
//                   ^^^^^^^^^^^ output-schema-invalid must not lead back to itself
      "z": { "$anchor": "named", "type": "string" }
    }
  }
}`));

test('a recursive schema is fine', () =>
  check(`{
  "output_schema": {
    "type": "object",
    "properties": { "children": { "type": "array", "items": { "$ref": "#" } } }
  }
}`));

test('a value listed twice is left to enum-duplicate-value', () =>
  check(`{ "output_schema": { "type": "object", "properties": { "a": { "enum": ["x", "x"] } } } }`));

test('data in const, enum, default and examples is not a schema', () =>
  check(`{
  "output_schema": {
    "type": "object",
    "properties": { "a": { "const": { "type": "strng", "$ref": "#/no" }, "default": { "$ref": "#/no" }, "examples": [{ "$ref": "#/no" }] } }
  }
}`));

test('a schema that is not an object is left to the schema rule', async () => {
  const findings = await findingsOf('{ "agent_name": "A2", "version": "v1", "output_schema": "object" }', [
    'output-schema-invalid',
    'schema',
  ]);
  expect(findings.map(({ code }) => code)).toEqual(['schema']);
});

test('a fix knows the nearest value', async () => {
  const [finding] = await findingsOf('{ "output_schema": { "type": "object", "properties": { "a": { "type": "strng" } } } }', [
    'output-schema-invalid',
  ]);
  expect(finding?.data).toMatchObject({ keyword: 'enum', replacement: 'string', text: '"string"' });
});

test('layers, and the parameters of tools, are held to the same; what an MCP server gives is an information', async () => {
  const findings = await findingsOf(
    `--- agentstack.json
{ "skills": { "find": { "description": "Finds.", "parameters": { "type": "object", "properties": { "q": { "type": "strng" } } } } } }
--- config/system.json
{ "agent_defaults": { "output_schema": { "type": "object", "properties": { "a": { "$ref": "#/nowhere" } } } } }
--- config/mcp.lock.json
{ "format": 1, "servers": { "web": { "tools": { "get": { "description": "", "hash": "${'0'.repeat(64)}", "parameters": { "type": "array" } } } } } }
`,
    ['output-schema-invalid'],
  );
  expect(findings.map(({ severity, pointer }) => `${severity} ${pointer}`).sort()).toEqual([
    'error /agent_defaults/output_schema/properties/a/$ref',
    'error /skills/find/parameters/properties/q/type',
    'info /servers/web/tools/get/parameters/type',
  ]);
});
