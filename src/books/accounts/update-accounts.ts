// Renames and renumbers many accounts at once: all of them or none. Codes can be exchanged, since
// only the codes that come out have to be unique.
import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import { adminRoles } from '../../kernel/operations/permission.ts'
import { line, uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { changedFields } from '../input/changed-fields.ts'
import type { ChartAccount } from './account.ts'
import { lockChart, updateAccount, updateCodesApart } from './account-store.ts'

const accountsMax = 1000

export const updateAccounts = defineOperation({
  name: 'update-accounts',
  summary: 'Rename and renumber many accounts at once',
  kind: 'write',
  input: z.strictObject({
    accounts: z
      .array(z.strictObject({ id: uuid(), code: line(20), name: line(160) }))
      .max(accountsMax),
  }),
  scopes: [],
  roles: adminRoles,
  async run(context, actor, { accounts: wanted }): Promise<{ readonly changed: number }> {
    return context.database.transaction(async (tx) => {
      const chart = await lockChart(tx, actor)
      requireKnown(chart, wanted)
      const changes = wanted.flatMap(({ id, ...fields }) => {
        const account = chart.find((one) => one.id === id)
        const changed = account ? changedFields(account, fields) : {}
        return account && Object.keys(changed).length > 0 ? [{ account, changed }] : []
      })
      if (changes.length === 0) {
        context.call.nothingChanged()
        return { changed: 0 }
      }
      requireUnique(chart, wanted)
      // The database compares codes after each statement.
      await updateCodesApart(
        tx,
        actor,
        changes.map(({ account }) => account.id),
      )
      for (const { account, changed } of changes) {
        const { code, name } = { ...account, ...changed }
        await updateAccount(tx, actor, account.id, { code, name })
        await recordAct(tx, context, actor, {
          action: 'account.update',
          objectKind: 'account',
          objectId: account.id,
          detail: { code: account.code, ...changed },
        })
      }
      return { changed: changes.length }
    })
  },
})

type Wanted = readonly { readonly id: string; readonly code: string }[]

function requireKnown(chart: readonly ChartAccount[], wanted: Wanted): void {
  const ids = new Set(chart.map(({ id }) => id))
  const problems = wanted.flatMap(({ id }, index) =>
    ids.has(id) ? [] : [`${index}.id: No such account.`],
  )
  if (problems.length > 0) refuse(problems)
}

function requireUnique(chart: readonly ChartAccount[], wanted: Wanted): void {
  const codes = new Map(chart.map(({ id, code }) => [id, code]))
  for (const { id, code } of wanted) codes.set(id, code)
  const uses = Map.groupBy(codes, ([, code]) => code)
  const problems = wanted.flatMap(({ code }, index) =>
    (uses.get(code)?.length ?? 0) > 1 ? [`${index}.code: Code ${code} is used twice.`] : [],
  )
  if (problems.length > 0) refuse(problems)
}

function refuse(problems: string[]): never {
  throw new Fault('invalid_request', { formErrors: [], fieldErrors: { accounts: problems } })
}
