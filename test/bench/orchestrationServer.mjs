// The model of the orchestration benchmark, a process of its own: answers each part after 50 ms, if the prompt holds the text of the part before.
import { createServer } from 'node:http';
import { partText, teamCount } from './orchestrationParts.mjs';

const latency = 50;
const usage = { prompt_tokens: 300, completion_tokens: 30, total_tokens: 330, prompt_tokens_details: { cached_tokens: 0 } };
const answers = Array.from({ length: teamCount + 1 }, (_, part) => {
  const content = JSON.stringify({ text: partText(part), verdict: part < teamCount ? 'go' : 'done' });
  const choices = [{ index: 0, message: { role: 'assistant', content, refusal: null }, logprobs: null, finish_reason: 'stop' }];
  const head = { id: `chatcmpl-${part}`, object: 'chat.completion', created: 1_790_000_000, model: 'bench', service_tier: 'default' };
  return Buffer.from(JSON.stringify({ ...head, choices, usage }));
});

const server = createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const body = Buffer.concat(parts).toString('latin1');
    const part = Number(/part = (\d+)/.exec(body)?.[1] ?? 0);
    const isWhole = part > 0 && body.includes(partText(part - 1));
    setTimeout(() => {
      response.writeHead(isWhole ? 200 : 400, { 'content-type': 'application/json', 'content-length': answers[part].length });
      response.end(answers[part]);
    }, latency);
  });
});

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', 2048, () => process.send({ port: server.address().port }));
process.on('disconnect', () => process.exit());
