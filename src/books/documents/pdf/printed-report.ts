// A report as it is printed: finished texts, so that drawing computes nothing and the file has the
// same figures as the page.
import type { SnapshotBrand, SnapshotParty } from '../document-snapshot.ts'
import type { Column, RowLook } from './table.ts'

export type PrintedReport = {
  readonly title: string
  // The period or day.
  readonly lead: string
  // In one line below the head, such as the basis and the currency.
  readonly facts: readonly string[]
  readonly isSandbox: boolean
  // ISO 8601; the creation date of the file.
  readonly printedAt: string
  readonly organisation: SnapshotParty
  readonly brand: SnapshotBrand
  readonly tables: readonly PrintedTable[]
  readonly note: string | null
  // If it is not in English, or has its own warning.
  readonly words?: PrintedWords
}

export type PrintedWords = {
  readonly language: string
  // In place of the one of the sandbox; empty without one.
  readonly warning: string
  // With `{number}` and `{count}`.
  readonly page: string
  readonly continued: string
  // With `{number}`, where the organisation has one.
  readonly taxNumber?: string
}

export type PrintedTable = {
  // Above the table, if the report has several.
  readonly heading: string | null
  // If the first takes the rest of the width, it names the row, and a table that is too wide for
  // the page is drawn in parts.
  readonly columns: readonly Column[]
  readonly rows: readonly PrintedRow[]
}

export type PrintedRow = { readonly look: RowLook; readonly cells: readonly string[] }
