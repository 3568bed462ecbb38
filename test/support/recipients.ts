import type { Tenant } from '../../src/kernel/basics/tenant.ts'
import { handOut } from './run-log.ts'
import type { World } from './world.ts'

// A split recipient as the provider has confirmed it.
export async function insertRecipient(
  { database, context }: World,
  tenant: Tenant,
  overrides: { splitPercent?: string; disabled?: boolean; subaccountId?: string } = {},
): Promise<string> {
  const id = context.ids.uuid()
  const row = {
    businessId: tenant.businessId,
    environment: tenant.environment,
    id,
    externalReference: id,
    name: 'A recipient',
    bankCode: '044',
    accountNumberSealed: context.secrets.seal('0690000031', `merchant.split_recipients/${id}`),
    splitPercent: '10',
    mobile: null,
    subaccountId: `RS_${id}`,
    provider: 'simulator',
    verified: true,
    disabled: false,
    createdAt: context.clock.now(),
    updatedAt: context.clock.now(),
    ...overrides,
  }
  await database.sql`insert into merchant.split_recipients ${database.sql(row)}`
  return id
}

// A body of POST /split-recipients; each call names another bank account.
let accounts = 0
export function recipientBody(change: Record<string, unknown> = {}) {
  accounts += 1
  const accountNumber = String(7_100_000_001 + accounts * 10)
  handOut(accountNumber)
  return {
    externalReference: `recipient-${accounts}`,
    name: 'Market stall',
    accountBank: '044',
    accountNumber,
    splitValue: 10,
    ...change,
  }
}
