import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { findDocumentFile } from '../../src/books/documents/document-file-store.ts'
import { requireSnapshot } from '../../src/books/documents/draw-document.ts'
import { issueDocument } from '../../src/books/documents/issue-document.ts'
import { renderDocumentPdf } from '../../src/books/documents/pdf/document-pdf.ts'
import { runOperation } from '../../src/kernel/operations/run-operation.ts'
import { installationOn, keyOf } from '../support/cli.ts'
import { newBooks } from '../support/documents.ts'
import { eventually, startService } from '../support/processes.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()

test('the built service draws in a thread, and ends it when it is told to stop', async () => {
  const { context, database } = world()
  const books = await newBooks(world())
  const { id } = await books.draft()
  await runOperation(issueDocument, context, books.owner, { id })
  const { env } = installationOn(database, keyOf(1))
  const service = await startService({ env: { ...env, LOG_LEVEL: 'debug' }, args: ['worker'] })
  await service.until('a thread draws documents from now on')
  const kept = () => findDocumentFile(database.sql, books, id)
  await eventually(async () => (await kept()) !== undefined)
  const here = await renderDocumentPdf(await requireSnapshot(context, books.owner, id))
  expect(Buffer.from((await kept())?.content ?? []).equals(here)).toBe(true)
  service.kill('SIGTERM')
  expect(await service.ended).toBe(0)
})

// Its tables of letters would be a third of what every command loads.
test('the drawing code is loaded only by processes that draw', async () => {
  const built = await Promise.all(
    ['main.js', 'cli/main.js', 'tillbook.js'].map((name) => readFile(`dist/${name}`, 'utf8')),
  )
  expect(built.filter((code) => /\bfrom "(?:fontkit|pdfkit)"/.test(code))).toEqual([])
  expect(await readFile('dist/books/documents/pdf/drawing-thread.js', 'utf8')).toMatch(
    /\bfrom "fontkit"/,
  )
})
