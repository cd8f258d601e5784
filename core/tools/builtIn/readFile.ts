import type { JsonObject } from '../../json.js';
import type { ToolOutcome } from '../types.js';
import { pageText, pageValue, readPage } from './page.js';
import type { FilePorts } from './projectFiles.js';

/** `read_file`: a page of a file. */
export async function readFile(ports: FilePorts, input: JsonObject): Promise<ToolOutcome> {
  const page = await readPage(ports, String(input.path ?? ''), input);
  return 'content' in page ? page : { content: pageText(page), value: pageValue(page) };
}
