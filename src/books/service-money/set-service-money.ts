// Switches automatic bookkeeping for the merchant service on or off, from a day on, and sets its
// accounts.
import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { adminRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { bookDay } from '../input/day-input.ts'
import { findInvoiceUnderCharge } from '../invoice-pages/invoice-charge-store.ts'
import { type Organisation, startOfDay, today } from '../settings/organisation.ts'
import { lockOrganisation } from '../settings/organisation-store.ts'
import { deleteWaitingBefore } from './movement-store.ts'
import { readServiceMoney, type ServiceMoney } from './read-service-money.ts'
import { requireServiceAccounts } from './require-service-accounts.ts'
import { lookingFrom, type ServiceSettings } from './service-settings.ts'
import {
  insertServiceSettings,
  lockServiceSettings,
  updateServiceSettings,
} from './service-settings-store.ts'

const serviceMoneyInput = z
  .strictObject({
    isOn: z.boolean(),
    from: bookDay(),
    unassignedAccountId: uuid(),
    shareAccountId: uuid(),
    payoutAccountId: uuid(),
    takesInvoicePayments: z.boolean(),
    takesPartPayments: z.boolean(),
  })
  .partial()

export const setServiceMoney = defineOperation({
  name: 'set-service-money',
  summary: 'Switch automatic bookkeeping for the merchant service on or off',
  kind: 'write',
  input: serviceMoneyInput,
  scopes: [],
  roles: adminRoles,
  async run(context, actor, wanted): Promise<ServiceMoney> {
    return context.database.transaction(async (tx) => {
      const organisation = await lockOrganisation(tx, actor)
      const before = await lockServiceSettings(tx, actor)
      const settings: ServiceSettings = {
        isOn: wanted.isOn ?? before?.isOn ?? true,
        takesInvoicePayments: wanted.takesInvoicePayments ?? before?.takesInvoicePayments ?? true,
        takesPartPayments: wanted.takesPartPayments ?? before?.takesPartPayments ?? false,
        ...begun(context, organisation, wanted.from, before),
        ...(await requireServiceAccounts(tx, context, actor, wanted, before)),
      }
      if (before?.isOn && !settings.isOn) await requireNoInvoiceCharge(tx, actor)
      if (before) await updateServiceSettings(tx, actor, settings)
      else await insertServiceSettings(tx, actor, settings)
      const { isOn, since, unassignedAccountId, shareAccountId, payoutAccountId } = settings
      const { takesInvoicePayments, takesPartPayments } = settings
      const leftToPeople = await deleteWaitingBefore(tx, actor, since)
      await recordAct(tx, context, actor, {
        action: 'service_money.set',
        objectKind: 'organisation',
        objectId: actor.businessId,
        detail: {
          isOn,
          since: since.toISOString(),
          unassignedAccountId,
          shareAccountId,
          payoutAccountId,
          takesInvoicePayments,
          takesPartPayments,
          ...(leftToPeople > 0 && { leftToPeople }),
        },
      })
      return readServiceMoney(tx, actor)
    })
  },
})

// The invoice would stay open although its customer has paid, until someone posts it by hand.
async function requireNoInvoiceCharge(tx: Tx, tenant: Tenant): Promise<void> {
  const invoice = await findInvoiceUnderCharge(tx, tenant)
  if (!invoice) return
  const message =
    `A customer is paying invoice ${invoice.number ?? ''} right now, or the payment is not posted ` +
    'yet. Stop taking payments of invoices first, and switch posting off when it has ended, at ' +
    'most half an hour later.'
  throw new Fault('conflict', message)
}

// Without a day it continues where it stopped, so that switching off and on leaves no gap; the
// first time it starts today. An earlier day than before is safe: nothing is recorded twice. With a
// later day, earlier waiting movements are left to people too.
function begun(
  { clock }: Context,
  organisation: Organisation,
  from: string | undefined,
  before: ServiceSettings | undefined,
): ReturnType<typeof lookingFrom> {
  if (before && from === undefined) {
    const { since, lookFrom, nearFrom, lookedAt, lookedBackAt } = before
    return { since, lookFrom, nearFrom, lookedAt, lookedBackAt }
  }
  const now = clock.now()
  return lookingFrom(startOfDay(organisation, from ?? today(organisation, now)), now)
}
