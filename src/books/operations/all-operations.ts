// Everything that people do and read in the books, by name.
import { documentOperations } from './document-operations.ts'
import { moneyOperations } from './money-operations.ts'
import type { BooksOperation } from './operation.ts'
import { booksReadings } from './reading-operations.ts'
import { settingOperations } from './setting-operations.ts'

export const booksOperations = {
  ...settingOperations,
  ...documentOperations,
  ...moneyOperations,
  ...booksReadings,
} as const satisfies Readonly<Record<string, BooksOperation>>
