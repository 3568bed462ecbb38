// Documents are drawn in a separate thread. Threads that die or hang are tried too.

import type { Worker } from 'node:worker_threads'
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { DocumentSnapshot } from '../../../src/books/documents/document-snapshot.ts'
import { drawDocumentJob, requireSnapshot } from '../../../src/books/documents/draw-document.ts'
import { getDocumentFile } from '../../../src/books/documents/get-document-file.ts'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { renderDocumentPdf } from '../../../src/books/documents/pdf/document-pdf.ts'
import { createDocumentDrawing } from '../../../src/books/documents/pdf/drawing.ts'
import type { DrawOptions } from '../../../src/kernel/basics/drawing.ts'
import { createWorker } from '../../../src/kernel/jobs/worker.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { manualClock } from '../../support/clock.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { eventually } from '../../support/processes.ts'
import { useWorld } from '../../support/world.ts'

type DrawingOptions = Parameters<typeof createDocumentDrawing>[0]

const world = useWorld()
const context = () => world().context
let books: Books
let snapshot: DocumentSnapshot
let threads: Worker[] = []

const noteThread = (thread: Worker) => void threads.push(thread)

beforeAll(async () => {
  books = await newBooks(world())
  snapshot = await requireSnapshot(context(), books.owner, await issued())
})

beforeEach(() => {
  threads = []
  process.on('worker', noteThread)
})

afterEach(() => {
  process.off('worker', noteThread)
})

async function issued(): Promise<string> {
  const draft = await books.draft('invoice')
  return (await runOperation(issueDocument, context(), books.owner, { id: draft.id })).id
}

function drawing(options: Partial<DrawingOptions> = {}) {
  const made = createDocumentDrawing({ log: context().log, ...options })
  onTestFinished(() => made.close())
  return {
    ...made,
    draw: (wanted: DocumentSnapshot, isVoid = false, options: Partial<DrawOptions> = {}) =>
      made.draw({ snapshot: wanted, isVoid }, { owner: 'a business', ...options }),
  }
}

const numbered = (number: string) => ({ ...snapshot, number })

// A thread that answers with the number of the document, unless that says what it does instead.
const entry = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads'
    let count = 0
    parentPort.on('message', ({ snapshot: { number } }) => {
      if (number.startsWith('count')) number = String(count += 1)
      if (number === 'hang') for (;;);
      if (number === 'throw') throw new Error('out of ink')
      if (number === 'exit') process.exit(3)
      if (number === 'wait') return
      parentPort.postMessage({ content: new TextEncoder().encode(number) })
    })`)}`,
)

const text = (content: Uint8Array) => Buffer.from(content).toString()

describe('the thread', () => {
  it('draws the very bytes that are drawn without it', async () => {
    const { draw } = drawing()
    for (const isVoid of [false, true]) {
      const here = await renderDocumentPdf(snapshot, isVoid)
      expect(Buffer.from(await draw(snapshot, isVoid)).equals(here)).toBe(true)
    }
    expect(threads).toHaveLength(1)
  })

  it('is one for all, started by the first who draws, and draws in turn', async () => {
    const { draw } = drawing({ entry })
    expect(threads).toHaveLength(0)
    const done: string[] = []
    const numbers = ['1', '2', '3', '4']
    await Promise.all(
      numbers.map(async (number) => {
        done.push(text(await draw(numbered(number), false)))
      }),
    )
    expect(done).toEqual(numbers)
    expect(threads).toHaveLength(1)
  })

  it('survives a document that cannot be drawn', async () => {
    const { draw } = drawing()
    const broken = { ...snapshot, lines: null } as unknown as DocumentSnapshot
    await expect(draw(broken, false)).rejects.toThrow(TypeError)
    expect((await draw(snapshot, false)).byteLength).toBeGreaterThan(1000)
    expect(threads).toHaveLength(1)
  })

  it.each([
    ['dies', 'throw', 'the thread that draws documents was lost: out of ink'],
    ['ends', 'exit', 'the thread that draws documents ended with status 3'],
  ])('that %s fails the one drawing, and the next have another', async (_, number, message) => {
    const { draw } = drawing({ entry })
    const failing = draw(numbered(number), false)
    const next = draw(numbered('next'), false)
    await expect(failing).rejects.toThrow(message)
    expect(text(await next)).toBe('next')
    expect(text(await draw(numbered('last'), false))).toBe('last')
    expect(threads).toHaveLength(2)
  })

  it('that does not answer is ended after a while, and the next drawing has another', {
    tags: ['long'],
  }, async () => {
    // Longer than any thread needs to start.
    const { draw } = drawing({ entry, timeoutMs: 10_000 })
    const failing = draw(numbered('wait'), false)
    const next = draw(numbered('next'), false)
    await expect(failing).rejects.toThrow('one of the documents was not drawn within 10000 ms')
    expect(text(await next)).toBe('next')
    expect(threads.map(({ threadId }) => threadId === -1)).toEqual([true, false])
  })

  it('that cannot be started fails what it should draw', async () => {
    const { draw } = drawing({ entry: new URL('./nowhere.ts', import.meta.url) })
    await expect(draw(snapshot, false)).rejects.toThrow('was lost: Cannot find module')
  })

  it('ends with the process, and what waits for it is refused', async () => {
    const made = drawing({ entry })
    const first = made.draw(numbered('hang'), false)
    const second = made.draw(numbered('2'), false)
    await eventually(() => threads.length === 1)
    const outcomes = Promise.allSettled([first, second])
    await made.close()
    expect(await outcomes).toMatchObject([
      { reason: { message: expect.stringContaining('documents ended with status') } },
      { reason: { message: 'nothing is drawn any more: the process is ending' } },
    ])
    await expect(made.draw(snapshot, false)).rejects.toThrow('the process is ending')
    expect(threads[0]?.threadId).toBe(-1)
  })

  it('lets only so many wait, and tells the others to come back', async () => {
    const { draw, close } = drawing({ entry, waitingMax: 1 })
    const waiting = Promise.allSettled([draw(numbered('wait'), false), draw(snapshot, false)])
    await expect(draw(snapshot, false)).rejects.toMatchObject({
      kind: 'unavailable',
      retryAfterSeconds: 10,
    })
    await close()
    await waiting
    await expect(draw(snapshot, false)).rejects.toThrow('the process is ending')
  })

  it('draws each snapshot once, while there is room for the bytes', async () => {
    const { draw } = drawing({ entry, cacheBytesMax: 2 })
    const number = async (name: string, isVoid = false) => text(await draw(numbered(name), isVoid))
    expect(await Promise.all([number('count'), number('count')])).toEqual(['1', '1'])
    expect(await number('count', true)).toBe('2')
    expect(await number('count')).toBe('1')
    expect(await number('count of another')).toBe('3')
    // The void one was not used for longest, so it made room.
    expect(await number('count')).toBe('1')
    expect(await number('count', true)).toBe('4')
  })
})

it('a job whose thread was lost is tried again, and the document is drawn', async () => {
  const id = await issued()
  const { sql } = world().database
  // Time stands still, so that the next try is not due while others are drawn.
  const clock = manualClock(context().clock.now())
  const drain = (options: Partial<DrawingOptions>) => {
    const documents = createDocumentDrawing({ log: context().log, ...options })
    onTestFinished(() => documents.close())
    const made = { ...context(), clock, drawing: documents }
    return createWorker({ context: made, jobs: [drawDocumentJob], schedules: [], slots: 1 }).drain()
  }
  const dying = new URL('data:text/javascript,process.exit(7)')
  await drain({ entry: dying })
  const [job] = await sql<{ attempts: number; lastError: string; deadAt: Date | null }[]>`
    select attempts, last_error, dead_at
    from kernel.jobs
    where unique_key = ${id}`
  expect(job).toMatchObject({ attempts: 1, deadAt: null })
  expect(job?.lastError).toContain('the thread that draws documents ended with status 7')
  expect(world().logLines.some((line) => line.includes('a job failed'))).toBe(true)
  await sql`update kernel.jobs set run_at = created_at where unique_key = ${id}`
  await drain({})
  const { content } = await runOperation(getDocumentFile, context(), books.owner, { id })
  expect(Buffer.from(content).subarray(0, 5).toString()).toBe('%PDF-')
  const left = await sql`select id from kernel.jobs where unique_key = ${id}`
  expect(left).toHaveLength(0)
})
