import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { currencyCode, day } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { listLimit } from '../input/list-limit.ts'
import { listRates } from './exchange-rate-store.ts'

// A rate applies from its day until the next one. The rate of a day is the first one up to it.
export const listExchangeRates = defineOperation({
  name: 'list-exchange-rates',
  summary: 'List exchange rates, newest first',
  kind: 'read',
  input: z.strictObject({
    currency: currencyCode().optional(),
    from: day().optional(),
    to: day().optional(),
    limit: listLimit(),
  }),
  scopes: [],
  roles: everyRole,
  run: ({ database }, actor, { limit, ...filter }) => listRates(database.sql, actor, filter, limit),
})
