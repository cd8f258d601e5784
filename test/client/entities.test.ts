import { expect, test } from 'vitest';
import { decodeHTML } from '../../client/panels/page/entities.js';

test('entities become the characters they stand for, and unknown ones stay as they are', () => {
  const entities = ['&amp;', '&nbsp;', '&#65;', '&#x1F600;', '&#0;', '&#xD800;', '&#9999999;', '&constructor;', '&unknown;'];
  expect(entities.map(decodeHTML)).toEqual(['&', '\u00a0', 'A', '😀', '\ufffd', '\ufffd', '\ufffd', '&constructor;', '&unknown;']);
});
