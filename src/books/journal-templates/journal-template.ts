// A manual journal that people post now and then: its text and lines, without a day.
import type { JournalTemplate } from '../recurring/recurring-template.ts'

export type NamedJournalTemplate = {
  readonly id: string
  readonly name: string
  readonly journal: JournalTemplate
  readonly createdAt: Date
}
