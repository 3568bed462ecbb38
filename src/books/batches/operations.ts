// The operations of batches.
import type { Operation } from '../../kernel/operations/operation.ts'
import type { BooksContext } from '../context.ts'
import { createBatch } from './create-batch.ts'
import { getBatch } from './get-batch.ts'
import { listBatches } from './list-batches.ts'
import { previewBatch } from './preview-batch.ts'

export const batchOperations: readonly Operation<BooksContext>[] = [
  createBatch,
  previewBatch,
  getBatch,
  listBatches,
]
