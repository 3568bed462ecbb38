import type { Tx } from '../kernel/db/database.ts'
import { operationRoutesOf } from '../kernel/http/route.ts'
import { operationsOf } from '../kernel/operations/operation.ts'
import type { ServiceContext } from '../kernel/operations/service-context.ts'
import type { DocumentDrawing } from './documents/pdf/drawing.ts'

export type BooksContext = ServiceContext & {
  // The thread that draws documents. Without it, they are drawn in the main thread.
  readonly drawing?: DocumentDrawing | undefined
  // Whether the person who makes this call has confirmed a day that is more than ten years back.
  readonly confirmsOldDate?: boolean | undefined
  // Called in the transaction that changes a document, for a batch that marks it as done.
  readonly onDocumentChange?: ((tx: Tx, documentId: string) => Promise<void>) | undefined
}

export const defineOperation = operationsOf<BooksContext>()
export const defineRoute = operationRoutesOf<BooksContext>()
