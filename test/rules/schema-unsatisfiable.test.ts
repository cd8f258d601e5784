import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('schema-unsatisfiable');

test('listed values that other keywords refuse', () =>
  check(`{
  "output_schema": {
    "type": "object",
    "properties": {
      "a": { "type": "integer", "enum": ["1", "2"] },
//                                      ^^^^^^^^^^ schema-unsatisfiable No value fits: "enum" lists the only values, and "type": "integer" refuses each. Change the type to "string".
      "b": { "type": "array", "enum": ["x", "y"] },
//                                    ^^^^^^^^^^ schema-unsatisfiable Move the values into "items".
      "c": { "type": "string", "const": 5 },
//                                      ^ schema-unsatisfiable No value fits: "const" is 5, and "type": "string" refuses it. Change the type to "integer".
      "d": { "enum": ["long", "longer"], "maxLength": 3 },
//                   ^^^^^^^^^^^^^^^^^^ schema-unsatisfiable "maxLength": 3 refuses each.
      "e": { "type": "string", "enum": ["a", null, 1] },
//                                           ^^^^ schema-unsatisfiable "enum" lists null, and "type": "string" refuses it.
//                                                 ^ schema-unsatisfiable "enum" lists 1, and "type": "string" refuses it.
      "f": { "type": ["string", "null"], "enum": ["a", "b"] },
//                              ^^^^^^ schema-unsatisfiable "type" allows "null", and no value of "enum" is one: it is refused.
      "g": { "type": ["integer", "null"], "enum": [1, 2, null], "minimum": 1 },
      "h": { "const": "a", "enum": ["b"] },
//                    ^^^ schema-unsatisfiable No value fits: "const" is "a", and "enum" refuses it.
      "i": { "type": "string", "enum": ["abc", "x"], "pattern": "^[0-9]+$" },
//                                     ^^^^^^^^^^^^ schema-unsatisfiable No value fits: "enum" lists the only values, and "pattern": "^[0-9]+$" refuses each.
      "j": { "enum": ["12", "a"], "pattern": "^[0-9]+$", "not": { "const": 5 } },
//                          ^^^ schema-unsatisfiable "enum" lists "a", and "pattern": "^[0-9]+$" refuses it.
      "k": { "enum": [3], "multipleOf": 2 }
//                   ^^^ schema-unsatisfiable No value fits: "enum" lists the only values, and "multipleOf": 2 refuses it.
    }
  }
}`));

test('types of allOf that no value has together', () =>
  check(`{
  "output_schema": {
    "type": "object",
    "properties": {
      "a": { "allOf": [{ "type": "string" }, { "type": "integer" }] },
//                                                     ^^^^^^^^^ schema-unsatisfiable No value fits: the types in "allOf" and beside it exclude each other.
      "b": { "type": "object", "allOf": [{ "type": ["array", "null"] }] },
//                                                 ^^^^^^^^^^^^^^^^^ schema-unsatisfiable
      "c": { "allOf": [{ "type": "number" }, { "type": "integer" }, { "minimum": 1 }] },
      "d": { "type": ["string", "null"], "allOf": [{ "type": ["null", "integer"] }] }
    }
  }
}`));

test('limits between which nothing lies', () =>
  check(`{
  "input_schema": {
    "type": "object",
    "properties": {
      "a": { "type": "number", "minimum": 5, "maximum": 1 },
//                                                      ^ schema-unsatisfiable No number fits "minimum": 5 and "maximum": 1.
      "b": { "type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 1 },
//                                                                         ^ schema-unsatisfiable
      "c": { "minLength": 3, "maxLength": 2 },
//                                        ^ schema-unsatisfiable No text fits "minLength": 3 and "maxLength": 2.
      "d": { "type": "array", "items": { "enum": ["x"] }, "uniqueItems": true, "minItems": 2 },
//                                                                                         ^ schema-unsatisfiable No list fits "items" and "minItems": 2.
      "e": { "type": "object", "required": ["x", "y"], "maxProperties": 1 },
//                                                                      ^ schema-unsatisfiable
      "f": { "type": "number", "minimum": 1, "maximum": 1, "multipleOf": 0.1 },
      "g": { "type": "number", "minimum": 0.05, "maximum": 0.3, "multipleOf": 0.1 },
      "h": { "type": "integer", "minimum": 1.5, "maximum": 1.5 }
//                                                         ^^^ schema-unsatisfiable
    }
  }
}`));

test('the parameters of tools, and of pinned ones as an information', () =>
  check(`--- agentstack.json
{ "skills": { "find": { "description": "Finds.", "parameters": { "type": "object", "properties": { "q": { "type": "boolean", "const": "yes" } } } } } }
//                                                                                                                                    ^^^^^ schema-unsatisfiable
--- config/mcp.lock.json
{ "format": 1, "servers": { "web": { "tools": { "get": { "description": "", "hash": "0f5c1b2c9a1de3b6f44a4b1b34c7a2c6d5f2a7b8c9d0e1f2a3b4c5d6e7f80912",
  "parameters": { "type": "object", "properties": { "as": { "type": ["string", "null"], "enum": ["text"] } } } } } } } }
//                                                                             ^^^^^^ schema-unsatisfiable
`));

test('the schemas in the config of a task, and bounds of every kind', () =>
  check(`--- config/orchestrations/flow.json
{ "teams": { "a/b": { "tasks": [{ "config": { "output_schema": { "properties": {
  "x": { "exclusiveMinimum": 5, "maximum": 5 },
//                                         ^ schema-unsatisfiable
  "y": { "items": { "minLength": 9, "maxLength": 8 }, "minItems": 2, "maxItems": 2 },
//                                               ^ schema-unsatisfiable
  "z": { "minProperties": 3, "maxProperties": 2 },
//                                            ^ schema-unsatisfiable
  "minimum": { "minimum": 1, "maximum": 1 }
} } } }] } } }
`));
