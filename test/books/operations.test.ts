// Rules for all operations of the books.
import { describe, expect, it } from 'vitest'
import { booksOperations } from '../../src/books/operations/all-operations.ts'
import { booksService } from '../../src/books/service.ts'

describe('operations of the books', () => {
  it('have a name each', () => {
    const names = booksOperations.map(({ name }) => name)
    expect(names).toEqual([...new Set(names)])
  })

  it.each(booksOperations.map((operation) => [operation.name, operation] as const))(
    '%s: a viewer reads and changes nothing',
    (_name, { kind, roles }) => {
      const isForOperatorAlone = roles.length === 0
      expect(roles.includes('viewer')).toBe(kind === 'read' && !isForOperatorAlone)
    },
  )

  it('let keys create drafts and contacts, and read what the interface shows', () => {
    const forKeys = booksOperations.filter(({ scopes }) => scopes.length > 0)
    expect(forKeys.map(({ name, scopes }) => `${name} ${scopes.join()}`).toSorted()).toEqual([
      'create-contact write',
      'create-document write',
      'get-document read',
      'list-accounts read',
      'list-contacts read',
      'list-documents read',
      'report-balance-sheet read',
      'report-profit-and-loss read',
      'report-trial-balance read',
    ])
    expect(booksService.scopes).toEqual(['read', 'write'])
  })
})
