/** The readers of formats other than JSON, in one module that is loaded when the first of them is needed. */
export { CsvError, parse as parseCsv } from 'csv-parse/sync';
export { getStaticTOMLValue, parseTOML } from 'toml-eslint-parser';
export { isAlias, isMap, isScalar, isSeq, parseAllDocuments, parseDocument, stringify, visit } from 'yaml';
