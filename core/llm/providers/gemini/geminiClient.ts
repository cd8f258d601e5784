/** The web build of the SDK, which authenticates with a key only, to keep the bundle small. */
export { GoogleGenAI } from '@google/genai/web';
