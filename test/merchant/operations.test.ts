// What holds for every operation of the merchant service.
import { describe, expect, it } from 'vitest'
import { merchantOperations } from '../../src/merchant/operations.ts'
import { merchantScopes } from '../../src/merchant/scopes.ts'

describe('operations of the merchant service', () => {
  it('have a name each', () => {
    const names = merchantOperations.map(({ name }) => name)
    expect(names).toEqual([...new Set(names)])
  })

  it.each(merchantOperations.map((operation) => [operation.name, operation] as const))(
    '%s: a viewer reads and changes nothing',
    (_name, { kind, roles }) => {
      const isForOperatorAlone = roles.length === 0
      expect(roles.includes('viewer')).toBe(kind === 'read' && !isForOperatorAlone)
    },
  )

  it.each(merchantOperations.map((operation) => [operation.name, operation] as const))(
    '%s: names only scopes that keys can have',
    (_name, { scopes }) => {
      expect(merchantScopes).toEqual(expect.arrayContaining([...scopes]))
    },
  )
})
