import { describe, expect, test } from 'vitest';
import { withoutTags } from '../../core/llm/providers/vendorFailure.js';

test.each([
  ['<h1>502</h1> Bad <b>Gateway</b>', ' 502  Bad  Gateway '],
  ['<STYLE>a{}</Style><p>İ said <script src="x">if (a < b) c()</script>no', '  İ said  no'],
  ['a < b and no end', 'a < b and no end'],
  ['<script>without an end, <i>yet more</i>', ' without an end,  yet more '],
  ['plain', 'plain'],
])('%s', (text, plain) => expect(withoutTags(text)).toBe(plain));

describe('takes linear time', () => {
  test.each(['<', '<script>', '<style></script>', '<a ', '</', '<script'])('for many of %s', (part) => {
    const begun = performance.now();
    withoutTags(part.repeat(200_000));
    expect(performance.now() - begun).toBeLessThan(15_000);
  });
});
