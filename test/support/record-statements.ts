// With RECORD_STATEMENTS=1, keeps every statement that the application sends in this run, each with
// the values of its first calls. The global teardown explains them; see `explain-statements.ts`.
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Query } from '../../src/kernel/db/statement.ts'
import { type RecordedStatement, recordedPrefix, recordVariable } from './recorded-statements.ts'
import { runDirectory } from './run-log.ts'

// Other values may lead to other parts of a table.
const samplesMax = 3

// A worker runs all its files in one process, and each runs this file.
const owner: { recordsStatements?: boolean } = globalThis as never

if (process.env[recordVariable] && !owner.recordsStatements) {
  owner.recordsStatements = true
  const seen = new Map<string, number>()
  const path = join(runDirectory(), `${recordedPrefix}${process.pid}`)
  subscribe('tillbook:statement', (message) => {
    const { text, values, origin } = message as Query
    const from = sourceOf(origin)
    const count = seen.get(`${from} ${text}`) ?? 0
    if (from === undefined || count === samplesMax) return
    seen.set(`${from} ${text}`, count + 1)
    const statement: RecordedStatement = {
      from,
      text,
      values: values.map((value) =>
        Buffer.isBuffer(value) ? { hex: value.toString('hex') } : value,
      ),
    }
    appendFileSync(path, `${JSON.stringify(statement)}\n`)
  })
}

// Nothing for a statement of a test or a migration.
function sourceOf(origin: string): string | undefined {
  const [frame = ''] = origin.split('\n')
  const [, path] = /\/(src\/[^:)]+-store\.ts)/.exec(frame) ?? []
  if (path === undefined) return undefined
  const [, name = 'anonymous'] = /at (?:async )?(?:\w+\.)*(\w+) \(/.exec(frame) ?? []
  return `${path} ${name}`
}
