import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('required-undefined');

test('a required field that properties lacks is marked, with the nearest field', () =>
  check(`{
  "output_schema": {
    "type": "object",
    "required": ["tone", "dept"],
//                       ^^^^^^ required-undefined required lists "dept", which properties does not define. Did you mean "depth"?
    "properties": { "tone": { "type": "string" }, "depth": { "type": "string" } }
  }
}`));

test('objects inside, and input_schema, are held to the same', () =>
  check(`{
  "output_schema": {
    "type": "object",
    "properties": {
      "author": { "type": "object", "required": ["nmae"], "properties": { "name": { "type": "string" } } }
//                                               ^^^^^^ required-undefined
    }
  },
  "input_schema": { "type": "object", "required": ["task"] }
//                                                 ^^^^^^ required-undefined
}`));

test('below the root, required alone is a legal condition', () =>
  check(`{
  "output_schema": {
    "type": "object",
    "properties": { "a": { "type": "object", "required": ["anything"] }, "b": {}, "c": {} },
    "anyOf": [{ "required": ["b"] }, { "required": ["c"] }]
  }
}`));

test('parts of a combination are judged together', () =>
  check(`{
  "output_schema": {
    "type": "object",
    "properties": { "kind": { "enum": ["circle", "square"] } },
    "allOf": [{ "$ref": "#/$defs/base" }],
    "oneOf": [
      { "properties": { "radius": { "type": "number" } }, "required": ["kind", "radius", "id"] },
      { "properties": { "side": { "type": "number" } }, "required": ["kind", "sides"] }
//                                                                           ^^^^^^^ required-undefined Did you mean "side"?
    ],
    "if": { "required": ["whatever"] },
    "not": { "required": ["forbidden"] },
    "$defs": { "base": { "properties": { "id": { "type": "string" } }, "required": ["id"] } }
  }
}`));

test('where any name may be defined, nothing is said', () =>
  check(`{
  "output_schema": {
    "type": "object",
    "properties": {
      "open": { "properties": { "a": {} }, "patternProperties": { "^x_": {} }, "required": ["x_1"] },
      "lost": { "$ref": "#/nowhere", "properties": { "a": {} }, "required": ["b"] }
    }
  }
}`));

test('a property may be called like a keyword', () =>
  check(`{
  "output_schema": {
    "type": "object",
    "properties": { "not": { "type": "object", "properties": { "a": {} }, "required": ["b"] } }
//                                                                                     ^^^ required-undefined
  }
}`));

test('cyclic references end', () =>
  check(`{
  "output_schema": {
    "type": "object",
    "required": ["next", "lost"],
//                       ^^^^^^ required-undefined
    "properties": { "next": { "$ref": "#" } },
    "allOf": [{ "$ref": "#" }]
  }
}`));

test('names that objects have anyway are ordinary names', () =>
  check(`{
  "output_schema": { "type": "object", "required": ["constructor"], "properties": { "__proto__": {} } }
//                                                  ^^^^^^^^^^^^^ required-undefined
}`));
