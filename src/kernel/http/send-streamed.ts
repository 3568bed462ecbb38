// Sends a response that is too long for memory, piece by piece. The next piece is produced when the
// caller has taken the one before. The status is sent before the last piece is produced, so an
// error on the way cuts the connection: a body that ends normally would look complete. A caller who
// stops reading is cut off too; otherwise their pieces would stay in memory.
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import type { Log } from '../basics/log.ts'
import type { Streamed } from './route.ts'

// Longer than any piece takes to produce, and than most people pause a download.
const stalledMsMax = 5 * 60_000

export async function sendStreamed(
  reply: FastifyReply,
  { status, headers, pieces }: Streamed,
  log: Log,
  // Only tests use a shorter limit.
  stalledMs = stalledMsMax,
): Promise<FastifyReply> {
  const { request, raw } = reply
  const stream = Readable.from(withTurns(pieces))
  // Most errors happen before the first piece. They are thrown here and handled as usual.
  await once(stream, 'readable')
  // The deadline may have answered meanwhile.
  if (reply.sent) {
    stream.destroy()
    return reply
  }
  // Without chunks, as in HTTP/1.0, closing would look like a normal end, so the connection is
  // reset.
  const cutOff = () => raw.socket?.resetAndDestroy()
  stream.on('error', (error) => {
    log.error({ requestId: request.id, err: error }, 'a streamed response was cut off')
    cutOff()
  })
  raw.setTimeout(stalledMs, () => {
    log.info({ requestId: request.id }, 'the caller stopped reading a streamed response')
    cutOff()
  })
  return reply.code(status).headers(headers).send(stream)
}

// Other requests get their turn after each piece, even if the next one is ready.
async function* withTurns(pieces: Streamed['pieces']): AsyncGenerator<string | Uint8Array> {
  for await (const piece of pieces) {
    yield piece
    await nextTurn()
  }
}
