import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { today } from '../settings/organisation.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { listUsedCurrencies } from './currency-use-store.ts'

export const listCurrencies = defineOperation({
  name: 'list-currencies',
  summary: 'List the currencies in use, with their newest rates',
  kind: 'read',
  input: z.strictObject({}),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql }, clock }, actor) {
    const organisation = await findOrganisation(sql, actor)
    const { baseCurrency } = organisation
    const day = today(organisation, clock.now())
    return { baseCurrency, currencies: await listUsedCurrencies(sql, actor, baseCurrency, day) }
  },
})
