// Reads the start of a receiver's response for the delivery log. The receiver decides what it
// contains, so little of it is kept, as plain text. The attempt does not wait long for it: the
// status is known. The rest is read in the background and discarded.
import type { Readable } from 'node:stream'

const keptBytesMax = 2048
export const bodyBytesMax = 16 * 1024
// Almost every response arrives in one packet with its head.
const waitMs = 250

export type ReadResponse = {
  // What has arrived when enough of it has, it has ended, or time is up.
  readonly start: Promise<string>
  readonly ended: Promise<void>
}

export function readResponse(body: Readable): ReadResponse {
  const { promise: start, resolve: resolveStart } = Promise.withResolvers<string>()
  const { promise: ended, resolve: resolveEnded } = Promise.withResolvers<void>()
  const pieces: Buffer[] = []
  let bytes = 0
  let isKept = false
  const keep = () => {
    if (isKept) return
    isKept = true
    clearTimeout(timer)
    resolveStart(responseText(Buffer.concat(pieces)))
  }
  const timer = setTimeout(keep, waitMs)
  body
    // A response that breaks off is followed by `close`; its status has decided the attempt.
    .on('error', keep)
    .on('data', (piece: Buffer) => {
      if (!isKept) pieces.push(piece)
      bytes += piece.length
      if (bytes >= keptBytesMax) keep()
      if (bytes > bodyBytesMax) body.destroy()
    })
    .on('end', keep)
    .on('close', () => {
      keep()
      resolveEnded()
    })
  return { start, ended }
}

// Bytes that are not UTF-8 and characters that no text shows (such as those that the database
// refuses, move a terminal's cursor or turn the direction of writing) become U+FFFD.
function responseText(bytes: Buffer): string {
  // As a stream, so that a character that the limit has cut in two is left out.
  const text = new TextDecoder().decode(bytes.subarray(0, keptBytesMax), { stream: true })
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, (one) =>
      one === '\n' || one === '\t' ? one : '\ufffd',
    )
}
