import type { ContentBlock } from '@agentclientprotocol/sdk';
import { InputInvalidError } from '../../errors.js';

/**
 * The message in a prompt, as one text: links as in Markdown, at their place, and embedded resources after the text.
 *
 * @throws InputInvalidError for an image, a sound, or a resource that is not text
 */
export function promptText(blocks: readonly ContentBlock[]): string {
  let text = '';
  let attached = '';
  blocks.forEach((block, index) => {
    switch (block.type) {
      case 'text':
        // Clients send the pieces around a link as they are, and separate messages without a line break.
        text += blocks[index - 1]?.type === 'text' ? `\n${block.text}` : block.text;
        break;
      case 'resource_link':
        text += linkTo(block.title ?? block.name, block.uri);
        break;
      case 'resource': {
        const { resource } = block;
        if (!('text' in resource)) throw unreadable(`The resource ${resource.uri}`);
        text += linkTo(nameIn(resource.uri), resource.uri);
        attached += `\n\n<resource uri=${JSON.stringify(resource.uri)}>\n${resource.text}\n</resource>`;
        break;
      }
      case 'image':
        throw unreadable('An image');
      case 'audio':
        throw unreadable('A sound');
    }
  });
  return text + attached;
}

function linkTo(name: string, uri: string): string {
  return `[${name.replaceAll(/[[\]\\]/g, '\\$&')}](${uri})`;
}

function nameIn(uri: string): string {
  return (
    uri
      .replace(/[?#].*$/, '')
      .split('/')
      .findLast((part) => part !== '') ?? uri
  );
}

function unreadable(subject: string): InputInvalidError {
  const message = `${subject} cannot be sent: agents take only text. Remove it from the message, or put it into words.`;
  return new InputInvalidError(message, [{ path: '', keyword: 'type', message }]);
}
