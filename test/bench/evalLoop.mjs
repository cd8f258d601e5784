// What a team writes by hand in place of an eval, over the plain SDK: `evalLoop.mjs <folder> <port>` reads the cases and the request of a folder,
// asks each case, checks its answer, and prints how many passed.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, port] = process.argv.slice(2);
const { resolve } = createRequire(join(import.meta.dirname, 'peers/package.json'));
const { default: OpenAI } = await import(pathToFileURL(resolve('openai')).href);
const openai = new OpenAI({ apiKey: 'sk-bench', baseURL: `http://127.0.0.1:${port}/v1`, maxRetries: 0 });
const read = (file) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
const { system, ...request } = read('request.json');
const { cases } = read('config/payloads/A2/set.json');
const results = new Array(cases.length);
let next = 0;

await Promise.all(
  Array.from({ length: 64 }, async () => {
    for (let at = next++; at < cases.length; at = next++) results[at] = await ask(cases[at]);
  }),
);
console.log(JSON.stringify({ total: cases.length, passed: results.filter(({ passed }) => passed).length }));

async function ask({ name, input, expect }) {
  const user = Object.entries(input)
    .map(([key, value]) => `${key} = ${value}`)
    .join('\n');
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: user },
  ];
  const { choices, usage } = await openai.chat.completions.create({ ...request, messages });
  const output = JSON.parse(choices[0].message.content);
  const passed = expect.every(({ output_field, value }) => output_field === undefined || output[output_field] === value);
  return { name, passed, output, usage };
}
