/** The part of the SDK in use, without its helpers and resources, to keep the bundle small. */
export { BaseAnthropic } from '@anthropic-ai/sdk/client';
