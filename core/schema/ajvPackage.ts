/** The parts of ajv in use, a separate bundle in the commands and the extension. */
export { _, Ajv, type Options, type ValidateFunction } from 'ajv';
export { Ajv2020 } from 'ajv/dist/2020.js';
export { fullFormats } from 'ajv-formats/dist/formats.js';
