// Imports in words that people use.
import { type UndoableName, undoableNames } from '../../books/imports/import.ts'
import type { ImportStatus } from '../../books/imports/started-import.ts'
import type { Tone } from '../../kernel/web/components.tsx'

type ImportText = {
  readonly title: string
  // One sentence about the file.
  readonly about: string
}

// In the order in which a business that moves its books needs them.
export const importTexts: Readonly<Record<UndoableName, ImportText>> = {
  accounts: {
    title: 'Accounts',
    about: 'One row for each account of the chart.',
  },
  contacts: {
    title: 'Contacts',
    about: 'One row for each customer or supplier. A name that is already there is refused.',
  },
  items: {
    title: 'Items',
    about: 'One row for each product or service.',
  },
  'opening-balances': {
    title: 'Opening balances',
    about: 'One row for each account that has a balance on the day your books start.',
  },
  invoices: {
    title: 'Invoices',
    about: 'One row for each line. Rows with the same text in “invoice” are one invoice.',
  },
  bills: {
    title: 'Bills',
    about: 'One row for each line. Rows with the same text in “bill” are one bill.',
  },
  payments: {
    title: 'Payments',
    about: 'One row for each payment. It can name the invoice or bill that it pays.',
  },
  journals: {
    title: 'Manual journals',
    about: 'One row for each line. Rows with the same text in “journal” are one journal.',
  },
}

export function importNameOf(text: string): UndoableName | undefined {
  return undoableNames.find((name) => name === text)
}

export const statusLooks: Readonly<Record<ImportStatus, readonly [Tone, string]>> = {
  checking: ['unsure', 'Checking'],
  refused: ['bad', 'Has problems'],
  checked: ['unsure', 'Ready to import'],
  importing: ['unsure', 'Importing'],
  stopped: ['bad', 'Stopped'],
  imported: ['good', 'Imported'],
  undoing: ['unsure', 'Being undone'],
  undone: ['plain', 'Undone'],
}
