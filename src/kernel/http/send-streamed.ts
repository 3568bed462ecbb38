// Sends an answer that is too long to be held in memory. The next piece is asked for when the one
// before has left for the caller, and none any more when the caller has gone. So a maker can fill
// the same buffer again and again; a stream would ask for pieces ahead. The status is sent before
// it is known whether all will go well: what fails later cuts the connection, because a body that
// ends as if it were complete would be believed. So does a caller who takes nothing any more: what
// is kept for them would be kept for ever.
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { Log } from '../basics/log.ts'
import type { Streamed } from './route.ts'

// Longer than any page of an answer may take to be made, and than most pause a download for.
const stalledMsMax = 5 * 60_000

export async function sendStreamed(
  reply: FastifyReply,
  { status, headers, pieces }: Streamed,
  log: Log,
  // Only tests wait for less.
  stalledMs = stalledMsMax,
): Promise<FastifyReply> {
  const iterator = pieces[Symbol.asyncIterator]()
  try {
    // Most of what can fail fails by now, and is still answered as any failure is.
    const first = await iterator.next()
    // The deadline may have answered meanwhile.
    if (!reply.sent) {
      reply.raw.setTimeout(stalledMs, () => {
        log.info({ requestId: reply.request.id }, 'an answer was not taken any more')
        reset(reply.raw)
      })
      await send(reply.code(status).headers(headers), first, iterator, log)
    }
  } finally {
    await iterator.return?.()
  }
  return reply
}

async function send(
  reply: FastifyReply,
  first: IteratorResult<string | Uint8Array>,
  rest: AsyncIterator<string | Uint8Array>,
  log: Log,
): Promise<void> {
  const { raw, request } = reply.hijack()
  // That the caller has gone is told by `close` too.
  raw.on('error', () => undefined)
  raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders)
  request.server.finish(request, reply)
  try {
    for (let next = first; next.done !== true; next = await rest.next()) {
      if (!(await hasLeft(raw, next.value))) return
    }
    raw.end()
  } catch (error) {
    log.error({ requestId: request.id, err: error }, 'an answer was cut off')
    reset(raw)
  }
}

// Rather than closed: without chunks, as in HTTP/1.0, the close would be the proper end.
function reset({ socket }: ServerResponse): void {
  socket?.resetAndDestroy()
}

// False when the caller has gone. A write may be done at once, and then nothing else would have its
// turn: neither other callers, nor the question for the next page, nor its answer.
function hasLeft(raw: ServerResponse, piece: string | Uint8Array): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  if (raw.destroyed) return Promise.resolve(false)
  const hasGone = () => resolve(false)
  raw.once('close', hasGone)
  raw.write(piece, (error) => {
    raw.off('close', hasGone)
    if (error) resolve(false)
    else setImmediate(resolve, true)
  })
  return promise
}
