// Drawing keeps a processor for a tenth of a second and more, so it is done in a thread beside the
// one that answers requests. One thread, since a document is no hurry and a second one would take
// the other processor from those who are: whoever comes meanwhile waits for their turn. It is
// started by the first drawing. A thread that dies or hangs fails the one drawing that it was busy
// with, and the next begins with another thread.
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Fault } from '../../../kernel/basics/fault.ts'
import type { Log } from '../../../kernel/basics/log.ts'
import type { DocumentSnapshot } from '../document-snapshot.ts'

export type Drawing = {
  draw(snapshot: DocumentSnapshot, isVoid: boolean): Promise<Uint8Array>
  // Ends the thread, whatever it is busy with; what waits is refused.
  close(): Promise<void>
}

type DrawingOptions = {
  readonly log: Log
  readonly timeoutMs?: number
  readonly waitingMax?: number
  // What the thread runs.
  readonly entry?: URL
}

export type DrawingRequest = { readonly snapshot: DocumentSnapshot; readonly isVoid: boolean }
export type DrawingAnswer = { readonly content: Uint8Array } | { readonly error: unknown }

// The largest document there can be takes two seconds on a slow machine.
const timeoutMsDefault = 30_000
// Some ten seconds of drawing: whoever is told to come back then is better off than waiting.
const waitingMaxDefault = 50
const retryAfterSeconds = 10
// Many times what the largest document needs, and no harm to the process.
const memoryMb = 512

// Without a thread it is drawn here and now: a command has nobody else to answer. What draws is
// loaded then, since its tables of letters are a third of all that a command would load otherwise.
export async function drawPdf(
  { drawing }: { readonly drawing?: Drawing | undefined },
  snapshot: DocumentSnapshot,
  isVoid = false,
): Promise<Uint8Array> {
  if (drawing) return drawing.draw(snapshot, isVoid)
  const { renderDocumentPdf } = await import('./document-pdf.ts')
  return renderDocumentPdf(snapshot, isVoid)
}

export function createDrawing({
  log,
  timeoutMs = timeoutMsDefault,
  waitingMax = waitingMaxDefault,
  entry = ownEntry(),
}: DrawingOptions): Drawing {
  let thread: Worker | undefined
  let latest: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let isClosed = false

  function start(): Worker {
    // It needs neither the settings nor the options of this process.
    const limits = { maxOldGenerationSizeMb: memoryMb }
    const worker = new Worker(entry, { execArgv: [], env: {}, resourceLimits: limits })
    worker.unref()
    log.debug('a thread draws documents from now on')
    worker.on('error', (error) => {
      leave(worker)
      log.warn({ err: error }, 'the thread that draws documents was lost')
    })
    worker.on('exit', () => leave(worker))
    return worker
  }

  function leave(worker: Worker): void {
    if (thread === worker) thread = undefined
  }

  async function ask(request: DrawingRequest): Promise<Uint8Array> {
    if (isClosed) throw new Error('nothing is drawn any more: the process is ending')
    thread ??= start()
    const worker = thread
    const answer = await answerOf(worker, request, timeoutMs).catch(async (error: unknown) => {
      leave(worker)
      await worker.terminate()
      throw error
    })
    if ('error' in answer) throw answer.error
    const { buffer, byteOffset, byteLength } = answer.content
    return Buffer.from(buffer, byteOffset, byteLength)
  }

  return {
    async draw(snapshot, isVoid) {
      if (waiting >= waitingMax) {
        const message = 'Too many documents are being drawn. Try again in a moment.'
        throw new Fault('unavailable', message, { retryAfterSeconds })
      }
      waiting += 1
      const turn = latest
        .then(() => ask({ snapshot, isVoid }))
        .finally(() => {
          waiting -= 1
        })
      latest = turn.catch(() => undefined)
      return turn
    },
    async close() {
      isClosed = true
      await thread?.terminate()
    },
  }
}

// Rejects when the thread is lost or takes too long; what went wrong in a drawing is an answer.
async function answerOf(
  worker: Worker,
  request: DrawingRequest,
  timeoutMs: number,
): Promise<DrawingAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<DrawingAnswer>()
  const onError = (error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    reject(new Error(`the thread that draws documents was lost: ${reason}`, { cause: error }))
  }
  const onExit = (status: number) =>
    reject(new Error(`the thread that draws documents ended with status ${status}`))
  const timer = setTimeout(
    () => reject(new Error(`a document was not drawn within ${timeoutMs} ms`)),
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

// The built thread beside the built code, and the source beside the source.
function ownEntry(): URL {
  return new URL(`./drawing-thread${extname(import.meta.url)}`, import.meta.url)
}
