import type { JsonObject } from '../../json.js';
import type { ToolOutcome } from '../types.js';
import { documentMetadata, metadataValue } from './documentMetadata.js';
import { pageText, pageValue, readPage } from './page.js';
import type { FilePorts } from './projectFiles.js';

/** `fetch_document`: a page of a document, which becomes a source of the run. */
export async function fetchDocument(ports: FilePorts, input: JsonObject): Promise<ToolOutcome> {
  const page = await readPage(ports, String(input.id ?? ''), input);
  if ('content' in page) return page;
  const metadata = documentMetadata(page.path, page.whole);
  const { path: id, text } = page;
  const place = { from_line: page.from_line, to_line: page.to_line };
  return {
    content: pageText(page),
    value: { ...pageValue(page), title: metadata.title },
    documents: [{ id, title: metadata.title, uri: id, text, metadata: { ...metadataValue(metadata), ...place } }],
  };
}
