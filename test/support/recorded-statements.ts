// What `record-statements.ts` writes in each process of a run, and the global teardown reads.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type RecordedStatement = {
  // The file and function, such as `src/kernel/ledger/ledger-store.ts insertEntry`.
  readonly from: string
  readonly text: string
  readonly values: readonly (string | null | { readonly hex: string })[]
}

export const recordVariable = 'RECORD_STATEMENTS'
export const recordedPrefix = 'statements-'

export function readRecorded(directory: string): RecordedStatement[] {
  return readdirSync(directory)
    .filter((name) => name.startsWith(recordedPrefix))
    .flatMap((name) => readFileSync(join(directory, name), 'utf8').split('\n'))
    .filter(Boolean)
    .map((line) => JSON.parse(line) as RecordedStatement)
}
