/** The SDK in its form for the web, which signs in with nothing but a key: a bundle holds no more of it. */
export { GoogleGenAI } from '@google/genai/web';
