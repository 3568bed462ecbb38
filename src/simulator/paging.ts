// Pages of the provider's lists: ten entries each, counted from one.
import { type Fields, wholeNumber } from './fields.ts'

const pageSize = 10

export type PageOf = {
  readonly page: number
  readonly pageSize: number
  readonly limit: number
  readonly offset: number
}

export function pageOf(query: Fields): PageOf {
  const page = wholeNumber(query, 'page', 1, [1, 1_000_000])
  return { page, pageSize, limit: pageSize, offset: (page - 1) * pageSize }
}
