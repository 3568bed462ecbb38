// The operations of downloads.
import type { Operation } from '../../kernel/operations/operation.ts'
import type { BooksContext } from '../context.ts'
import { drawDocuments } from './draw-documents.ts'
import { exportDocuments } from './export-documents.ts'

export const downloadOperations: readonly Operation<BooksContext>[] = [
  drawDocuments,
  exportDocuments,
]
