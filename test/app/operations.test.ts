// Rules for all operations.
import { describe, expect, it } from 'vitest'
import { operationGroups } from '../../src/app/operations.ts'
import { assertDefined } from '../../src/kernel/basics/assert.ts'
import { mayCall } from '../../src/kernel/operations/permission.ts'

const tenant = { businessId: 'a', environment: 'live' } as const
const system = { ...tenant, kind: 'system', name: 'test' } as const
const viewer = { ...tenant, kind: 'person', personId: 'b', role: 'viewer' } as const
const operations = operationGroups.flatMap(({ scopes, operations: of }) =>
  of.map((operation) => ({ operation, known: scopes, name: operation.name })),
)

it('has a unique name, which says what is done to what', () => {
  const names = operations.map(({ name }) => name)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  expect(names.filter((name) => !/^[a-z]+(-[a-z]+)+$/.test(name))).toEqual([])
})

it.each(['approve-approval', 'reject-approval'])('%s is for people alone', (name) => {
  const { operation, known } = assertDefined(
    operations.find((one) => one.name === name),
    `${name} is an operation`,
  )
  const ids = { keyId: 'c', createdBy: 'b' }
  const key = { ...tenant, kind: 'key', ...ids, scopes: new Set(known) } as const
  const approver = { ...viewer, role: 'approver' } as const
  const callers = [system, key, viewer, approver]
  expect(callers.map((actor) => mayCall(operation, actor))).toEqual([false, false, false, true])
})

describe.each(operations)('$name', ({ operation, known }) => {
  it('has at least one caller', () => {
    const { roles, scopes } = operation
    expect(roles.length + scopes.length > 0 || mayCall(operation, system)).toBe(true)
  })

  it('names scopes that a key can have', () => {
    expect(operation.scopes.filter((scope) => !known.includes(scope))).toEqual([])
  })

  it('lets viewers read everything and change nothing but their own account', () => {
    // What only the operator does is not shown to people either.
    const isForPeople = operation.roles.length > 0
    const isHarmless = operation.kind === 'read' || operation.isOwnAccount === true
    expect(mayCall(operation, viewer)).toBe(isHarmless && isForPeople)
  })

  it('says what it does in one line', () => {
    expect(operation.summary).toMatch(/^[A-Z][^\n]{3,100}[^.\n]$/)
  })
})
