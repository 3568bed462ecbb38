// Drawings (PDFs, QR codes) occupy a processor for many milliseconds, so they are made in a thread
// beside the one that answers requests. One thread per kind of drawing, since a second one would
// take the other processor from the requests. The first drawing starts it. A thread that dies or
// hangs fails only its current drawing, and the next one starts another thread. Drawings are cached
// for a while: the same request gives the same bytes.
import { createHash } from 'node:crypto'
import { serialize } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { createByteCache } from './byte-cache.ts'
import type { Log } from './log.ts'
import { createTurns } from './turns.ts'

export type Drawing<Request> = {
  draw(request: Request, options: DrawOptions): Promise<Uint8Array>
  // Ends the thread, even if it is busy; waiting work is refused.
  close(): Promise<void>
}

export type DrawOptions = {
  // The business: each has its own queue.
  readonly owner: string
  // Aborted when the caller has left, which drops the work unless it has started.
  readonly signal?: AbortSignal | undefined
}

export type DrawingOptions = {
  readonly log: Log
  // What is drawn, for messages, such as 'documents'.
  readonly subject: string
  // The code of the thread: it answers each request with a DrawingAnswer.
  readonly entry: URL
  readonly timeoutMs?: number
  readonly waitingMaxPerOwner?: number
  readonly waitingMax?: number
  readonly cacheBytesMax?: number
}

export type DrawingAnswer = { readonly content: Uint8Array } | { readonly error: unknown }

// The largest document takes two seconds on a slow machine.
const timeoutMsDefault = 30_000
// A few seconds of drawing for one business. No person waits for more documents than that.
const waitingMaxPerOwnerDefault = 20
// Some ten seconds of drawing. Callers who would wait longer must try again later.
const waitingMaxDefault = 100
const retryAfterSeconds = 10
// Several hundred documents, or several thousand QR codes.
const cacheBytesMaxDefault = 16 * 1024 * 1024
// Many times the needs of the largest document, and harmless for the process.
const memoryMb = 512

export function createDrawing<Request>(options: DrawingOptions): Drawing<Request> {
  const { log, subject, entry, timeoutMs = timeoutMsDefault } = options
  const cache = createByteCache(options.cacheBytesMax ?? cacheBytesMaxDefault)
  const turns = createTurns({
    waitingMaxPerOwner: options.waitingMaxPerOwner ?? waitingMaxPerOwnerDefault,
    waitingMax: options.waitingMax ?? waitingMaxDefault,
    busyMessage: `Too many ${subject} are being drawn. Try again in a moment.`,
    retryAfterSeconds,
  })
  let thread: Worker | undefined
  let isClosed = false

  function start(): Worker {
    // It needs neither the settings nor the options of this process.
    const limits = { maxOldGenerationSizeMb: memoryMb }
    const worker = new Worker(entry, { execArgv: [], env: {}, resourceLimits: limits })
    worker.unref()
    log.debug(`a thread draws ${subject} from now on`)
    worker.on('error', (error) => {
      leave(worker)
      log.warn({ err: error }, `the thread that draws ${subject} was lost`)
    })
    worker.on('exit', () => leave(worker))
    return worker
  }

  function leave(worker: Worker): void {
    if (thread === worker) thread = undefined
  }

  async function ask(request: Request): Promise<Uint8Array> {
    if (isClosed) throw new Error('nothing is drawn any more: the process is ending')
    thread ??= start()
    const worker = thread
    const answering = answerOf(worker, request, { subject, timeoutMs })
    const answer = await answering.catch(async (error: unknown) => {
      leave(worker)
      await worker.terminate()
      throw error
    })
    if ('error' in answer) throw answer.error
    const { buffer, byteOffset, byteLength } = answer.content
    return Buffer.from(buffer, byteOffset, byteLength)
  }

  return {
    async draw(request, { owner, signal }) {
      const key = createHash('sha256').update(serialize(request)).digest('base64')
      const kept = cache.get(key)
      if (kept) return kept
      return turns.run(
        owner,
        async () => {
          // It may have been drawn for another caller meanwhile.
          const content = cache.get(key) ?? (await ask(request))
          cache.set(key, content)
          return content
        },
        signal,
      )
    },
    async close() {
      isClosed = true
      await thread?.terminate()
    },
  }
}

// Rejects if the thread is lost or takes too long. A failed drawing is an answer.
async function answerOf(
  worker: Worker,
  request: unknown,
  { subject, timeoutMs }: { subject: string; timeoutMs: number },
): Promise<DrawingAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<DrawingAnswer>()
  const onError = (error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    reject(new Error(`the thread that draws ${subject} was lost: ${reason}`, { cause: error }))
  }
  const onExit = (status: number) =>
    reject(new Error(`the thread that draws ${subject} ended with status ${status}`))
  const timer = setTimeout(
    () => reject(new Error(`one of the ${subject} was not drawn within ${timeoutMs} ms`)),
    timeoutMs,
  )
  worker.on('message', resolve).on('error', onError).on('exit', onExit)
  try {
    worker.postMessage(request)
    return await promise
  } finally {
    clearTimeout(timer)
    worker.off('message', resolve).off('error', onError).off('exit', onExit)
  }
}
