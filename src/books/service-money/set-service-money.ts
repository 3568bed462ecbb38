// Switches on or off that the money of the payment service is booked by itself, from a day on, and
// says which accounts it is booked on.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { day, uuid } from '../../kernel/operations/schemas.ts'
import { validated } from '../../kernel/operations/validate.ts'
import { requireRole } from '../operations/permissions.ts'
import { type Organisation, startOfDay, today } from '../settings/organisation.ts'
import { lockOrganisation } from '../settings/organisation-store.ts'
import {
  deleteWaitingBefore,
  listWaiting,
  updateWaitingDue,
  type WaitingFor,
} from './movement-store.ts'
import { requireServiceAccounts, type ServiceAccounts } from './require-service-accounts.ts'
import { lookingFrom, type ServiceSettings } from './service-settings.ts'
import {
  findServiceSettings,
  insertServiceSettings,
  lockServiceSettings,
  updateServiceSettings,
} from './service-settings-store.ts'

export const serviceMoneyInput = z
  .strictObject({
    isOn: z.boolean(),
    from: day(),
    unassignedAccountId: uuid(),
    shareAccountId: uuid(),
    payoutAccountId: uuid(),
  })
  .partial()

export type ServiceMoney = Partial<ServiceAccounts> & {
  readonly isOn: boolean
  readonly since: Date | null
  readonly waiting: readonly WaitingFor[]
}

export async function setServiceMoney(
  context: Context,
  actor: Actor,
  input: z.input<typeof serviceMoneyInput>,
): Promise<ServiceMoney> {
  requireRole(actor, 'administer')
  const wanted = validated(serviceMoneyInput, input)
  return context.database.transaction(async (tx) => {
    const organisation = await lockOrganisation(tx, actor)
    const before = await lockServiceSettings(tx, actor)
    const settings: ServiceSettings = {
      isOn: wanted.isOn ?? before?.isOn ?? true,
      ...begun(context, organisation, wanted.from, before),
      ...(await requireServiceAccounts(tx, context, actor, wanted, before)),
    }
    if (before) await updateServiceSettings(tx, actor, settings)
    else await insertServiceSettings(tx, actor, settings)
    const { isOn, since, unassignedAccountId, shareAccountId, payoutAccountId } = settings
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
        ...(leftToPeople > 0 && { leftToPeople }),
      },
    })
    return findServiceMoney(tx, actor)
  })
}

// Without a day it goes on where it has stopped, so that switching off and on leaves no hole; the
// first time it begins today. An earlier day than before is safe: nothing is taken down twice. With
// a later one, what happened before it and waits is left to people as well.
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

export async function findServiceMoney(sql: Sql | Tx, tenant: Tenant): Promise<ServiceMoney> {
  const settings = await findServiceSettings(sql, tenant)
  if (!settings) return { isOn: false, since: null, waiting: [] }
  const { isOn, since, unassignedAccountId, shareAccountId, payoutAccountId } = settings
  const waiting = await listWaiting(sql, tenant)
  return { isOn, since, unassignedAccountId, shareAccountId, payoutAccountId, waiting }
}

// For whoever has mended what stood in the way and will not wait for an hour.
export async function retryServiceMoney(
  context: Context,
  actor: Actor,
): Promise<{ readonly tried: number }> {
  requireRole(actor, 'write')
  const { database, clock } = context
  return database.transaction(async (tx) => ({
    tried: await updateWaitingDue(tx, actor, clock.now()),
  }))
}
