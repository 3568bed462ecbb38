// Sends an answer that is too long to be held in memory, piece by piece. The next piece is asked
// for when the caller has taken the one before. The status is sent before the last piece is made,
// so an error on the way cuts the connection: a body that ends as if it were complete would be
// believed. A caller who stops reading is cut off too; otherwise their pieces would be kept for
// ever.
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import type { Log } from '../basics/log.ts'
import type { Streamed } from './route.ts'

// Longer than making any piece may take, and than most people pause a download for.
const stalledMsMax = 5 * 60_000

export async function sendStreamed(
  reply: FastifyReply,
  { status, headers, pieces }: Streamed,
  log: Log,
  // Only tests wait for less.
  stalledMs = stalledMsMax,
): Promise<FastifyReply> {
  const { request, raw } = reply
  const stream = Readable.from(withTurns(pieces))
  // Most errors happen before the first piece. They are thrown here and answered as usual.
  await once(stream, 'readable')
  // The deadline may have answered meanwhile.
  if (reply.sent) {
    stream.destroy()
    return reply
  }
  // Without chunks, as in HTTP/1.0, closing would be the proper end; so the connection is reset.
  const cutOff = () => raw.socket?.resetAndDestroy()
  stream.on('error', (error) => {
    log.error({ requestId: request.id, err: error }, 'an answer was cut off')
    cutOff()
  })
  raw.setTimeout(stalledMs, () => {
    log.info({ requestId: request.id }, 'an answer was not taken any more')
    cutOff()
  })
  return reply.code(status).headers(headers).send(stream)
}

// Other requests get their turn after each piece, even when the next one is ready.
async function* withTurns(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of pieces) {
    yield piece
    await nextTurn()
  }
}
