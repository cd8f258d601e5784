// The model of the loop benchmarks, a process of its own that speaks Chat Completions: asks for the tool `lookup` turn after turn, then answers.
// `/steps/{n}/v1` answers with the n-th call of a run; `/slow/steps/{n}/v1` does so after 50 ms. Ready-made bytes, so that its own work never
// decides a result; only the last call of a run is checked: every result of the tool must have come back.
import { createServer } from 'node:http';
import { lookup } from './loopTool.mjs';

const latency = 50;
const head = {
  object: 'chat.completion',
  created: 1_790_000_000,
  model: 'bench',
  service_tier: 'default',
  system_fingerprint: 'fp_bench',
};
const usage = {
  prompt_tokens: 400,
  completion_tokens: 40,
  total_tokens: 440,
  prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0, accepted_prediction_tokens: 0, rejected_prediction_tokens: 0 },
};
/** Every answer has an id of its own: LangGraph takes messages of one id for one message. */
const bytes = (id, message, finish_reason) =>
  Buffer.from(
    JSON.stringify({
      id: `chatcmpl-${id}`,
      ...head,
      choices: [{ index: 0, message: { role: 'assistant', refusal: null, annotations: [], ...message }, logprobs: null, finish_reason }],
      usage,
    }),
  );
const asks = Array.from({ length: 32 }, (_, turn) => {
  const call = { id: `call_${turn}`, type: 'function', function: { name: 'lookup', arguments: JSON.stringify({ key: `k${turn}` }) } };
  return bytes(turn, { content: `I look up k${turn}.`, tool_calls: [call] }, 'tool_calls');
});
const answer = bytes('last', { content: 'All found.' }, 'stop');

const toolRole = /"role":\s?"tool"/g;
const server = createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const steps = Number(/\/steps\/(\d+)\//.exec(request.url)[1]);
    const body = Buffer.concat(parts).toString('latin1');
    const turn = body.match(toolRole)?.length ?? 0;
    const isLast = turn === steps - 1;
    const isWhole =
      !isLast || Array.from({ length: turn }, (_, index) => lookup({ key: `k${index}` })).every((text) => body.includes(text));
    const send = () => reply(response, isWhole ? 200 : 400, isLast ? answer : asks[turn]);
    if (request.url.startsWith('/slow')) setTimeout(send, latency);
    else send();
  });
});

function reply(response, status, whole) {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': whole.length, 'x-request-id': 'req_bench' });
  response.end(whole);
}

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', 2048, () => process.send({ port: server.address().port }));
process.on('disconnect', () => process.exit());
