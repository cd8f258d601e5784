import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('schema-changed-in-place');

test('words, titles, the order of keys and new optional fields are free to change', () =>
  check(`--- config/agents/A2/v1.json
{
  "version": "v1",
  "input_keys": ["task"],
  "output_schema": {
    "required": ["tone"],
    "properties": {
      "depth": { "type": "string" },
      "tone": { "description": "new words", "enum": ["formal", "direct"], "type": "string", "default": "direct" }
    },
    "type": "object",
    "title": "Answer"
  }
}
--- config/agents/A2/v1.json at base
{
  "version": "v1",
  "input_keys": ["context", "task"],
  "output_schema": {
    "type": "object",
    "properties": { "tone": { "type": "string", "enum": ["direct", "formal"] } },
    "required": ["tone"]
  }
}`));

test('fields that are gone, renamed, required or optional now are told with what breaks', () =>
  check(`--- config/agents/A2/v1.json
{
  "version": "v1",
  "output_schema": {
    "type": "object",
    "properties": {
//  ^^^^^^^^^^^^ schema-changed-in-place "note" is gone: readers of it find nothing. Create a new version instead of changing "v1".
//  ^^^^^^^^^^^^ schema-changed-in-place "tone" is gone (now "tones"?): readers of it find nothing.
      "tones": { "type": "string" },
      "depth": { "type": "string" },
//    ^^^^^^^ schema-changed-in-place "depth" is no longer required: readers may find nothing there.
      "score": { "type": "number" },
      "fresh": { "type": "number" }
    },
    "required": ["score", "fresh"]
//               ^^^^^^^ schema-changed-in-place "score" is now required: answers kept from before no longer fit.
//                        ^^^^^^^ schema-changed-in-place "fresh" is new and required: answers kept from before no longer fit.
  }
}
--- config/agents/A2/v1.json at base
{
  "version": "v1",
  "output_schema": {
    "type": "object",
    "properties": {
      "tone": { "type": "string" },
      "note": { "type": "boolean" },
      "depth": { "type": "string" },
      "score": { "type": "number" }
    },
    "required": ["depth"]
  }
}`));

test('types that are other, wider or narrower are told', () =>
  check(`--- config/agents/A2/v1.json
{
  "version": "v1",
  "output_schema": {
    "type": "object",
    "properties": {
      "other": { "type": "number" },
//                       ^^^^^^^^ schema-changed-in-place "other" is "number" now (was "string"): readers meet a type they do not expect, and answers kept from before may no longer fit.
      "wider": { "type": ["string", "null"] },
//                       ^^^^^^^^^^^^^^^^^^ schema-changed-in-place "wider" may now also be "null": readers meet a type
      "narrower": { "type": "integer" },
//                          ^^^^^^^^^ schema-changed-in-place "narrower" can no longer be "number": answers kept
      "untyped": { "description": "anything" },
//    ^^^^^^^^^ schema-changed-in-place "untyped" may now be of any type (was "string")
      "same": { "type": ["null", "string"] },
      "list": { "type": "array", "items": { "type": "object", "properties": { "id": { "type": "number" } } } }
//                                                                                            ^^^^^^^^ schema-changed-in-place "list[].id" is "number" now
    }
  }
}
--- config/agents/A2/v1.json at base
{
  "version": "v1",
  "output_schema": {
    "type": "object",
    "properties": {
      "other": { "type": "string" },
      "wider": { "type": "string" },
      "narrower": { "type": "number" },
      "untyped": { "type": "string" },
      "same": { "type": ["string", "null"] },
      "list": { "type": "array", "items": { "type": "object", "properties": { "id": { "type": "string" } } } }
    }
  }
}`));

test('values that come or go are told', () =>
  check(`--- config/agents/A2/v1.json
{
  "version": "v1",
  "output_schema": {
    "type": "object",
    "properties": {
      "tone": { "enum": ["direct", "warm"] },
//              ^^^^^^ schema-changed-in-place "tone" can no longer be "formal": readers wait for it in vain, and stored answers no longer fit.
//                                 ^^^^^^ schema-changed-in-place "tone" may now be "warm", a value that readers do not know.
      "open": { "type": "string" },
//    ^^^^^^ schema-changed-in-place "open" may now be any value: readers meet values they do not know.
      "closed": { "type": "string", "enum": ["a"] }
//                                  ^^^^^^ schema-changed-in-place "closed" is now limited to "a"
    }
  },
  "enums": { "tone": ["direct", "warm"], "closed": ["a"] }
}
--- config/agents/A2/v1.json at base
{
  "version": "v1",
  "output_schema": {
    "type": "object",
    "properties": {
      "tone": { "enum": ["direct", "formal"] },
      "open": { "type": "string", "enum": ["a"] },
      "closed": { "type": "string" }
    }
  },
  "enums": { "tone": ["direct", "formal"], "open": ["a"] }
}`));

test('limits that let more through are told', () =>
  check(`--- config/agents/A2/v1.json
{
  "version": "v1",
  "output_schema": {
    "type": "object",
    "properties": {
      "score": { "type": "number", "minimum": 0, "maximum": 100 },
//                                                          ^^^ schema-changed-in-place "score" has maximum 100 (was 1): readers may meet values they do not expect.
      "text": { "type": "string" },
//    ^^^^^^ schema-changed-in-place "text" has no maxLength any more (was 80)
      "brief": { "type": "string", "maxLength": 40 }
    }
  }
}
--- config/agents/A2/v1.json at base
{
  "version": "v1",
  "output_schema": {
    "type": "object",
    "properties": {
      "score": { "type": "number", "minimum": 0, "maximum": 1 },
      "text": { "type": "string", "maxLength": 80 },
      "brief": { "type": "string", "maxLength": 80 }
    }
  }
}`));

test('callers are told of new input keys and a narrower input schema', () =>
  check(`--- config/agents/A2/v1.json
{
  "version": "v1",
  "input_keys": ["task", "context"],
//                       ^^^^^^^^^ schema-changed-in-place The input key "context" is new: callers that do not send it are refused.
  "input_schema": {
    "type": "object",
    "properties": {
      "task": { "type": ["string", "number"], "maxLength": 10 },
//                                                         ^^ schema-changed-in-place "task" has maxLength 10 now: callers may be refused.
      "level": { "enum": ["low"] }
//               ^^^^^^ schema-changed-in-place "level" can no longer be "high": callers that send it are refused.
    },
    "required": ["task", "level"]
//                       ^^^^^^^ schema-changed-in-place "level" is now required: callers that do not send it are refused.
  }
}
--- config/agents/A2/v1.json at base
{
  "version": "v1",
  "input_keys": ["task"],
  "input_schema": {
    "type": "object",
    "properties": { "task": { "type": ["string", "number"] }, "level": { "enum": ["low", "high"] }, "old": {} }
  }
}`));

test('an input schema that lets more through is fine', () =>
  check(`--- config/agents/A2/v1.json
{ "version": "v1", "input_schema": { "type": "object", "properties": { "a": { "type": ["string", "null"], "enum": ["x", "y"] } } } }
--- config/agents/A2/v1.json at base
{ "version": "v1", "input_schema": { "type": "object", "properties": { "a": { "type": "string", "enum": ["x"] } }, "required": ["a"] } }`));

test('a schema that is gone is told on the version', () =>
  check(`--- config/agents/A2/v1.json
{ "version": "v1" }
^ schema-changed-in-place The output schema is gone: readers find no fields.
--- config/agents/A2/v1.json at base
{ "version": "v1", "output_schema": { "type": "object" } }`));

test('a schema that moved to a persona is compared there', () =>
  check(`--- config/agents/A2/v1.json
{ "agent_name": "A2", "version": "v1", "persona_key": "shaper" }
//                                                    ^^^^^^^^ schema-changed-in-place "tone" is "number" now (was "string")
--- config/personas/shaper.json
{ "output_schema": { "type": "object", "properties": { "tone": { "type": "number" } } } }
--- config/agents/A2/v1.json at base
{ "version": "v1", "output_schema": { "type": "object", "properties": { "tone": { "type": "string" } } } }`));

test('a schema written with references is the same schema', () =>
  check(`--- config/agents/A2/v1.json
{
  "version": "v1",
  "output_schema": {
    "type": "object",
    "properties": { "tone": { "$ref": "#/$defs/tone" }, "next": { "$ref": "#" } },
    "$defs": { "tone": { "type": "string", "enum": ["a", "b"] } }
//                                                       ^^^ schema-changed-in-place "tone" may now be "b"
  }
}
--- config/agents/A2/v1.json at base
{
  "version": "v1",
  "output_schema": {
    "type": "object",
    "properties": { "tone": { "type": "string", "enum": ["a"] }, "next": { "$ref": "#" } }
  }
}`));

test('enums that stand alone are compared', () =>
  check(`--- config/agents/A2/v1.json
{
  "version": "v1",
  "enums": { "tone": ["a", "c"] }
//           ^^^^^^ schema-changed-in-place "tone" can no longer be "b": readers wait for it in vain.
//                         ^^^ schema-changed-in-place "tone" may now be "c", a value that readers do not know.
}
--- config/agents/A2/v1.json at base
{ "version": "v1", "enums": { "tone": ["a", "b"] } }`));

test('a version on its way to another file is left alone', () =>
  check(`--- config/agents/A2/v1.json
{ "version": "v2", "output_schema": { "type": "object" } }
--- config/agents/A2/v1.json at base
{ "version": "v1", "output_schema": { "type": "object", "properties": { "a": {} } } }`));

test('without a base, or with one that is not JSON, there is nothing to compare', () =>
  check(`--- config/agents/A2/v1.json
{ "version": "v1", "output_schema": { "type": "object" } }
--- config/agents/A2/v1.json at base
nothing`));
