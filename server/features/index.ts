import type { AnyFeature } from '../feature.js';

/** Every request the server answers. A new feature is one new file and one line here. */
export const features: readonly AnyFeature[] = [];
