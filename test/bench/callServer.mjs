// The server of the call benchmark, a process of its own: ready-made bytes, so that its own work never decides a result.
import { createServer } from 'node:http';

const answer = JSON.stringify({
  system: 'Python_Programmer',
  audience: 'Developer',
  tone: 'direct',
  response_depth: 'detailed',
  confidence: 'high',
});
const head = { id: 'chatcmpl-bench', created: 1_790_000_000, model: 'bench', service_tier: 'default', system_fingerprint: 'fp_bench' };
const usage = {
  prompt_tokens: 200,
  completion_tokens: 40,
  total_tokens: 240,
  prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0, accepted_prediction_tokens: 0, rejected_prediction_tokens: 0 },
};
const whole = Buffer.from(
  JSON.stringify({
    ...head,
    object: 'chat.completion',
    choices: [
      { index: 0, message: { role: 'assistant', content: answer, refusal: null, annotations: [] }, logprobs: null, finish_reason: 'stop' },
    ],
    usage,
  }),
);

const chunkCount = 1000;
const event = (fields) => `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...fields })}\n\n`;
const delta = (content, finish_reason = null) => ({ choices: [{ index: 0, delta: content, logprobs: null, finish_reason }], usage: null });
const events = [
  event(delta({ role: 'assistant', content: '', refusal: null })),
  ...Array.from({ length: chunkCount }, (_, index) => event(delta({ content: `word${index} ` }))),
  event(delta({}, 'stop')),
  event({ choices: [], usage }),
  'data: [DONE]\n\n',
];
// Four events to a write: what one network packet of a fast model holds.
const writes = Array.from({ length: Math.ceil(events.length / 4) }, (_, index) =>
  Buffer.from(events.slice(index * 4, index * 4 + 4).join('')),
);

const server = createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    if (request.url.startsWith('/slow')) setTimeout(() => send(response), 1500);
    else if (Buffer.concat(parts).includes('"stream":true')) void stream(response);
    else send(response);
  });
});

function send(response) {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length, 'x-request-id': 'req_bench' });
  response.end(whole);
}

async function stream(response) {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'x-request-id': 'req_bench' });
  for (const write of writes) if (!response.write(write)) await new Promise((resolve) => response.once('drain', resolve));
  response.end();
}

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', 1024, () => process.send({ port: server.address().port }));
process.on('disconnect', () => process.exit());
