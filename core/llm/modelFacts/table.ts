// Made by scripts/modelFacts.mjs from packages and supplement.json; do not edit. docs/models.md says where each fact is from.

/** Where facts come from, by the letters in a row's last column. */
export const sources: Readonly<Record<string, string>> = {
  g: 'gpt-tokenizer 4.0.0, 2026-08-16',
  o: 'openai 7.57.0, 2026-11-13',
  a: '@anthropic-ai/sdk 1.12.0, 2026-11-20',
  p: '@pydantic/genai-prices 0.1.8, 2026-09-23',
  s: 'provider documentation, 2026-11-21',
};

/** What gave the day on which a model ends and its successor, with the day on which it was read, by the number in a row. */
export const endSources: readonly (readonly [source: string, read: string])[] = [
  ['https://ai.google.dev/gemini-api/docs/deprecations', '2026-08-18'],
  ['https://ai.google.dev/gemini-api/docs/deprecations', '2026-11-10'],
  ['https://developers.openai.com/api/docs/deprecations', '2026-08-18'],
  ['https://developers.openai.com/api/docs/deprecations', '2026-10-15'],
  ['https://developers.openai.com/api/docs/deprecations', '2026-10-27'],
  ['https://developers.openai.com/api/docs/deprecations', '2026-11-05'],
  ['https://developers.openai.com/api/docs/deprecations', '2026-11-27'],
  ['https://platform.claude.com/docs/en/about-claude/model-deprecations', '2026-08-18'],
  ['https://platform.claude.com/docs/en/models/sonnet-4-5/overview', '2026-11-27'],
  ['openai@7.57.0', '2026-11-13'],
];

/**
 * provider | model | context window | most output tokens | USD per million tokens in | out | cached in | parameters it refuses |
 * reasoning effort with which it takes them all the same | deprecation without a day | day on which it ends | successor | r: from that day on the
 * successor answers | number of the source of its end | sources. An empty column is an unknown fact.
 */
export const modelRows = `
anthropic|claude-2|200000||8|24|||||2025-07-21|claude-opus-4-8||7|p
anthropic|claude-3-5-haiku|200000||0.8|4|0.08||||2026-02-19|claude-haiku-4-5||7|p
anthropic|claude-3-5-sonnet|200000||3|15|0.3||||2025-10-28|claude-sonnet-4-6||7|p
anthropic|claude-3-7-sonnet|200000||3|15|0.3||||2026-02-19|claude-sonnet-4-6||7|p
anthropic|claude-3-haiku|200000||0.25|1.25|0.03||||2026-04-20|claude-haiku-4-5||7|p
anthropic|claude-3-opus|200000||15|75|1.5||||2026-01-05|claude-opus-4-8||7|p
anthropic|claude-3-sonnet|200000||3|15|0.3||||2025-07-21|claude-sonnet-4-6||7|p
anthropic|claude-fable-5-1|1000000|128000|10|50|0.25|temperature,top_p|||||||ps
anthropic|claude-fable-5-2||||||temperature,top_p|||||||as
anthropic|claude-fable-5|1000000|128000|10|50|1|temperature,top_p|||||||ps
anthropic|claude-haiku-4-5|200000|64000|1|5|0.1||||||||ps
anthropic|claude-haiku-5-5|1000000|128000|0.1|0.5|0.01|temperature,top_p|||||||as
anthropic|claude-mythos-5-1|1000000|128000|10|50|0.25|temperature,top_p|||||||as
anthropic|claude-mythos-5-2||||||temperature,top_p|||||||as
anthropic|claude-mythos-5|1000000|128000|10|50|1|temperature,top_p|||||||as
anthropic|claude-mythos-preview|||||||||||||a
anthropic|claude-opus-4-0|200000|32000|15|75|1.5||||2026-06-15|claude-opus-4-8||7|ps
anthropic|claude-opus-4-1|200000|32000|15|75|1.5||||2026-08-05|claude-opus-4-8||7|ps
anthropic|claude-opus-4-5|200000|64000|5|25|0.5||||||||ps
anthropic|claude-opus-4-6|1000000|128000|5|25|0.5||||||||ps
anthropic|claude-opus-4-7|1000000|128000|5|25|0.5|temperature,top_p|||||||ps
anthropic|claude-opus-4-8|1000000|128000|5|25|0.5|temperature,top_p|||||||ps
anthropic|claude-opus-4|200000|32000|15|75|1.5||||2026-06-15|claude-opus-4-8||7|ps
anthropic|claude-opus-5-5|1000000|128000|4|20|0.2|temperature,top_p|||||||ps
anthropic|claude-opus-5|1000000|128000|5|25|0.5|temperature,top_p|||||||ps
anthropic|claude-sonnet-4-0|200000|64000|3|15|0.3||||2026-06-15|claude-sonnet-4-6||7|ps
anthropic|claude-sonnet-4-5|200000|64000|3|15|0.3||||2026-11-30|claude-sonnet-5-5||8|aps
anthropic|claude-sonnet-4-6|1000000|128000|3|15|0.3||||||||ps
anthropic|claude-sonnet-4|200000|64000|3|15|0.3||||2026-06-15|claude-sonnet-4-6||7|ps
anthropic|claude-sonnet-5-5|1000000|128000|2|10|0.2|temperature,top_p|||||||as
anthropic|claude-sonnet-5|1000000|128000|2|10|0.2|temperature,top_p|||||||ps
anthropic|claude-v1|||8|24|||||2024-11-06|claude-haiku-4-5||7|p
gemini|gemini-1.0-pro-vision-001|32768||0.125|0.375||||shut down|||||ps
gemini|gemini-1.0-pro|32768||0.125|0.375||||shut down|||||ps
gemini|gemini-1.5-flash|1048576|8192|0.075|0.3|0.01875|||shut down|||||ps
gemini|gemini-1.5-pro|2097152|8192|1.25|5||||shut down|||||ps
gemini|gemini-2.0-flash-lite|1048576|8192|0.075|0.3|||||2026-06-01|gemini-3.1-flash-lite||0|ps
gemini|gemini-2.0-flash|1048576|8192|0.1|0.4|0.025||||2026-06-01|gemini-3.6-flash||0|ps
gemini|gemini-2.5-flash-lite|1048576|65536|0.1|0.4|0.01||||||||ps
gemini|gemini-2.5-flash-preview-09-2025|1048576|65536|0.3|2.5|0.03||||||||ps
gemini|gemini-2.5-flash-preview|1048576|65536|0.15|0.6||||deprecated|||||ps
gemini|gemini-2.5-flash|1048576|65536|0.3|2.5|0.03||||2026-12-01|gemini-3.5-flash-lite|r|1|ps
gemini|gemini-2.5-pro|1048576|65536|1.25|10|0.125||||2026-12-01|gemini-3.8-flash|r|1|ps
gemini|gemini-3-flash-preview|1048576|65536|0.5|3|0.05||||||||ps
gemini|gemini-3-pro-preview|1048576|65536|2|12|0.2||||2026-03-09|gemini-3.1-pro-preview||0|ps
gemini|gemini-3-pro-text-preview|1048576|65536|2|12|0.2||||||||ps
gemini|gemini-3.1-flash-lite|1048576|65536|0.25|1.5|0.025||||||||ps
gemini|gemini-3.1-pro-preview|1048576|65536|2|12|0.2||||||||ps
gemini|gemini-3.5-flash-lite|1048576|65536|0.3|2.5|0.03|temperature,top_p|||||||ps
gemini|gemini-3.5-flash|1048576|65536|1.5|9|0.15||||||||ps
gemini|gemini-3.6-flash|1048576|65536|0.75|3.75|0.075|temperature,top_p|||||||ps
gemini|gemini-3.7-flash|1048576|65536|0.75|3.75|0.075|temperature,top_p|||||||ps
gemini|gemini-3.8-flash|1048576|65536|0.75|3.75|0.075|temperature,top_p|||||||ps
gemini|gemini-pro|32768||0.125|0.375||||shut down|||||ps
gemini|gemma-2-27b-it|||0.65|0.65|||||||||p
gemini|gemma-3n|||||||||||||p
gemini|gemma-3|||||||||||||p
gemini|gemma-4-26b-a4b-it-maas|262144||0.15|0.6|0.015||||||||p
gemini|gemma-4-26b-a4b-it|262144||||||||||||p
gemini|gemma-4-31b-it|262144||||||||||||p
openai|chat-latest|400000|128000|||||||||||g
openai|chatgpt-4o-latest|128000|16384|5|15|||||2026-02-17|gpt-5.1-chat-latest||2|gop
openai|codex-mini-latest|200000|100000|1.5|6|0.375||||2026-02-12|||9|gop
openai|daybreak-blue-latest|1050000|128000|||||||||||g
openai|daybreak-red-latest|400000|128000|||||||||||g
openai|ft:gpt-3.5-turbo|||3|6|||||||||p
openai|ft:gpt-4o-mini|||0.3|1.2|||||||||p
openai|ft:gpt-4o|||3.75|15|||||||||p
openai|gpt-3.5-turbo-0125|16385|4096|0.5|1.5|||||2026-10-23|gpt-5.6-terra||3|gop
openai|gpt-3.5-turbo-0301|||1.5|2|||||2024-09-13|gpt-3.5-turbo||2|op
openai|gpt-3.5-turbo-0613|16385|4096|1.5|2|||||2024-09-13|gpt-3.5-turbo||2|gop
openai|gpt-3.5-turbo-1106|16385|4096|1|2|||||2026-09-28|||9|gop
openai|gpt-3.5-turbo-16k-0613|16385|4096|3|4|||||2024-09-13|gpt-3.5-turbo||2|gop
openai|gpt-3.5-turbo-16k|||3|4|||||2024-09-13|||9|op
openai|gpt-3.5-turbo|16385|4096|0.5|1.5|||||2026-10-23|gpt-5.6-terra||3|gop
openai|gpt-4-0125-preview|128000|4096|10|30|||||2026-03-26|gpt-5||2|gop
openai|gpt-4-0314|8192|8192|30|60|||||2026-03-26|gpt-5||2|gop
openai|gpt-4-0613|8192|8192|30|60|||||2026-10-23|gpt-5.6-sol||3|gop
openai|gpt-4-1106-preview|128000|4096|10|30|||||2026-10-23|gpt-5.6-sol||3|gop
openai|gpt-4-1106-vision-preview|128000|4096|10|30|||||2024-12-06|gpt-4o||2|gp
openai|gpt-4-32k-0314|||60|120|||||2025-06-06|gpt-4o||2|op
openai|gpt-4-32k-0613|||60|120|||||2025-06-06|gpt-4o||2|op
openai|gpt-4-32k|32768|8192|60|120|||||2025-06-06|gpt-4o||2|gop
openai|gpt-4-turbo-preview|128000|4096|10|30|||||2026-03-26|gpt-5||2|gop
openai|gpt-4-turbo|128000|4096|10|30|||||2026-10-23|gpt-5.6-sol||3|gop
openai|gpt-4-vision-preview|||10|30|||||2024-12-06|gpt-4o||2|op
openai|gpt-4.1-mini|1047576|32768|0.4|1.6|0.1||||2027-01-14|gpt-6-luna||5|gop
openai|gpt-4.1-nano|1047576|32768|0.1|0.4|0.025||||2026-10-23|gpt-5.6-luna||3|gop
openai|gpt-4.1|1047576|32768|2|8|0.5||||2027-01-14|gpt-6-luna||5|gop
openai|gpt-4.5-preview|128000|16384|75|150|37.5||||2025-07-14|gpt-4.1||2|gp
openai|gpt-4o-2024-05-13|128000|4096|5|15|||||2026-10-23|gpt-5.6-sol||3|gop
openai|gpt-4o-mini-search-preview|128000|16384|0.15|0.6|0.075||||2026-07-23|gpt-5.6-terra||2|gop
openai|gpt-4o-mini|128000|16384|0.15|0.6|0.075||||2027-01-14|gpt-6-luna||5|gop
openai|gpt-4o-search-preview|128000|16384|2.5|10|||||2026-07-23|gpt-5.6-terra||2|gop
openai|gpt-4o|128000|16384|2.5|10|1.25||||2027-01-14|gpt-6-luna||5|gop
openai|gpt-4|8192|8192|30|60|||||2026-10-23|gpt-5.6-sol||3|gop
openai|gpt-5-chat-latest|128000|16384|1.25|10|0.125||||2026-07-23|gpt-5.6-sol||2|gop
openai|gpt-5-codex|400000|128000|1.25|10|0.125|temperature,top_p|||2026-07-23|gpt-5.6-sol||2|gops
openai|gpt-5-mini|400000|128000|0.25|2|0.025|temperature,top_p|||2026-12-11|gpt-6.1-terra||6|gops
openai|gpt-5-nano|400000|128000|0.05|0.4|0.005|temperature,top_p|||2026-12-11|gpt-5.6-luna||4|gops
openai|gpt-5-pro|400000|272000|15|120||temperature,top_p|||2026-12-11|gpt-5.6-sol||4|gops
openai|gpt-5.1-chat-latest|128000|16384|1.25|10|0.125||||2026-07-23|gpt-5.6-sol||2|gop
openai|gpt-5.1-codex-max|400000|128000|1.25|10|0.125||||2026-07-23|gpt-5.6-sol||2|gop
openai|gpt-5.1-codex-mini|400000|128000|0.25|2|0.025||||||||gp
openai|gpt-5.1-codex|400000|128000|1.25|10|0.125||||2026-07-23|gpt-5.6-sol||2|gop
openai|gpt-5.1|400000|128000|1.25|10|0.125||||2027-04-01|||9|gop
openai|gpt-5.2-chat-latest|128000|16384|1.75|14|0.175||||2026-08-10|gpt-5.6-sol||2|gop
openai|gpt-5.2-codex|400000|128000|1.75|14|0.175||||||||gp
openai|gpt-5.2-pro|400000|128000|21|168|||||||||gop
openai|gpt-5.2|400000|128000|1.75|14|0.175||||||||gop
openai|gpt-5.3-chat-latest|128000|16384|1.75|14|0.175||||2026-08-10|gpt-5.6-sol||2|gop
openai|gpt-5.3-codex|400000|128000|1.75|14|0.175||||||||gp
openai|gpt-5.3|128000||1.75|14|0.175||||||||p
openai|gpt-5.4-mini|400000|128000|0.75|4.5|0.075||||||||gop
openai|gpt-5.4-nano|400000|128000|0.2|1.25|0.02||||2027-04-01|||9|gop
openai|gpt-5.4-pro|1050000|128000|30|180|||||||||gp
openai|gpt-5.4|1050000|128000|2.5|15|0.25||||||||gop
openai|gpt-5.5-pro|1050000|128000|30|180|||||||||gop
openai|gpt-5.5|1050000|128000|5|30|0.5||||||||gop
openai|gpt-5.6-cyber|400000|128000||||temperature,top_p|none||||||gos
openai|gpt-5.6-luna|1050000|128000|0.2|1.2|0.02|temperature,top_p|none||||||gops
openai|gpt-5.6-sol|1050000|128000|4|20|0.4|temperature,top_p|none||||||gops
openai|gpt-5.6-terra|1050000|128000|2|12|0.2|temperature,top_p|none||||||gops
openai|gpt-5|400000|128000|1.25|10|0.125|temperature,top_p|||2026-12-11|gpt-6.1-sol||6|gops
openai|gpt-6-astra|1050000|128000|10|50|1|temperature,top_p|none||||||ops
openai|gpt-6-cyber||||||temperature,top_p|none||||||os
openai|gpt-6-luna|1050000|128000|0.1|0.5|0.01|temperature,top_p|none||||||ops
openai|gpt-6-rosalind||||||temperature,top_p|none||||||os
openai|gpt-6-sol|1050000|128000|2|10|0.2|temperature,top_p|none||||||ops
openai|gpt-6.1-sol|||2|10|0.1|temperature,top_p|none||||||os
openai|gpt-6.1-terra|1050000|128000|1|5|0.05|temperature,top_p|none||||||os
openai|gpt-daybreak-blue-latest|||||||||||||o
openai|gpt-daybreak-red-latest|||||||||||||o
openai|gpt-oss-120b|131072|131072|0.039|0.18|||||||||gp
openai|gpt-oss-20b|131072|131072|0.029|0.14|||||||||gp
openai|gpt-rosalind-research|||||||||||||o
openai|o1-mini|128000|65536|1.1|4.4|0.55|temperature,top_p|||2025-10-27|o4-mini||2|gops
openai|o1-preview|128000|32768|15|60|7.5|temperature,top_p|||2025-07-28|o3||2|gops
openai|o1-pro|200000|100000|150|600||temperature,top_p|||2026-10-23|gpt-5.6-sol||3|gops
openai|o1|200000|100000|15|60|7.5|temperature,top_p|||2026-10-23|gpt-5.6-sol||3|gops
openai|o3-mini|200000|100000|1.1|4.4|0.55|temperature,top_p|||2026-10-23|gpt-5.6-sol||3|gops
openai|o3-pro|200000|100000|20|80||temperature,top_p|||2026-12-11|gpt-5.6-sol||4|gops
openai|o3|200000|100000|2|8|0.5|temperature,top_p|||2026-12-11|gpt-5.6-sol||4|gops
openai|o4-mini|200000|100000|1.1|4.4|0.275|temperature,top_p|||2026-10-23|gpt-5.6-terra||3|gops
`;
