/** What is used of the SDK, without its helpers and resources: a bundle holds no more of it. */
export { BaseAnthropic } from '@anthropic-ai/sdk/client';
