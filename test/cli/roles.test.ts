import { expect, it } from 'vitest'
import { operationGroups } from '../../src/app/operations.ts'
import { installation } from '../support/cli.ts'

it('shows who may call every operation', async () => {
  const { cli, json } = await installation()
  const { stdout } = await cli('roles')
  expect(stdout).toMatch(
    / {2}refund-payment +Refund a payment, .*\n +owner, admin, approver, member, operator; keys with /,
  )
  expect(stdout).toMatch(/ {2}add-person .*\n +operator\n/)
  expect(stdout).toMatch(/ {2}list-members .*\n +every role, operator\n/)
  const names = operationGroups.flatMap(({ operations }) => operations.map(({ name }) => name))
  const rows = await json('roles')
  expect(rows.map(({ name }: { name: string }) => name)).toEqual(names)
  expect(rows).toContainEqual({
    ...{ group: 'API keys and people', name: 'revoke-api-key', kind: 'write' },
    ...{ summary: expect.any(String), roles: ['owner', 'admin'], scopes: [], operator: true },
  })
})
