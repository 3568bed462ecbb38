import { routesOf } from '../kernel/http/route.ts'
import type { ServiceContext } from '../kernel/http/service.ts'
import type { Drawing } from './documents/pdf/drawing.ts'

export type BooksContext = ServiceContext & {
  // The thread that draws documents. Without one they are drawn where they are asked for.
  readonly drawing?: Drawing | undefined
}

export const defineRoute = routesOf<BooksContext>()
