export interface BodyOptions {
  /** Most bytes: of one event in an event stream, else of the whole body. */
  readonly longest: number;
  readonly isEventStream: boolean;
  /** Most bytes of a body that is a JSON array. Default: `longest`. */
  readonly longestArray?: number;
  /** Called with the first bytes of each chunk, as text. */
  readonly chunk?: (text: string) => void;
  /** Called if the body is longer; it ends there. */
  readonly tooLong: () => void;
  /** Called when the body has ended or failed. */
  readonly end?: () => void;
}

/** A body that is read at the speed of its reader, and cancelled if it is too long. */
export function boundedBody(
  body: ReadableStream<Uint8Array>,
  { longest, isEventStream, longestArray = longest, chunk, tooLong, end }: BodyOptions,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const lengthAfter = isEventStream ? eventLength() : totalLength();
  let most: number | undefined;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const next = await reader.read();
        if (next.done) {
          controller.close();
          end?.();
          return;
        }
        const text = new TextDecoder().decode(next.value.subarray(0, 4096));
        if (text.trim() !== '') most ??= !isEventStream && text.trimStart().startsWith('[') ? longestArray : longest;
        if (lengthAfter(next.value) > (most ?? longest)) {
          tooLong();
          controller.close();
          await reader.cancel();
          return;
        }
        chunk?.(text);
        controller.enqueue(next.value);
      } catch (error) {
        controller.error(error);
        end?.();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

type LengthAfter = (bytes: Uint8Array) => number;

function totalLength(): LengthAfter {
  let length = 0;
  return (bytes) => {
    length += bytes.length;
    return length;
  };
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** The length of the current event; an empty line ends it. */
function eventLength(): LengthAfter {
  let length = 0;
  let isLineStart = true;
  let previous = 0;
  return (bytes) => {
    for (const byte of bytes) {
      length += 1;
      const isLineEnd = byte === lineFeed || byte === carriageReturn;
      const isSecondHalf = byte === lineFeed && previous === carriageReturn;
      if (isLineEnd && isLineStart && !isSecondHalf) length = 0;
      isLineStart = isLineEnd;
      previous = byte;
    }
    return length;
  };
}
