// The payment that a call is about, for rules with an amount or a reference. Calls that only name
// an id are looked up, so that one rule matches all calls about a payment.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql } from '../../kernel/db/database.ts'
import { type Decimal, parseDecimal } from '../../kernel/money/decimal.ts'
import { ExactNumber } from '../../kernel/money/exact-number.ts'
import { findCharge } from '../charges/charge-store.ts'
import type { Call } from '../endpoint.ts'
import { idOf } from '../fields.ts'
import { findRefund } from '../refunds/refund-store.ts'
import { findTransfer } from '../transfers/transfer-store.ts'
import type { Subject } from './rule.ts'

export async function subjectOf(
  sql: Sql,
  tenant: Tenant,
  path: string,
  { params, query, body }: Call,
): Promise<Subject> {
  const fields = { ...query, ...body }
  const reference = [fields.tx_ref, fields.reference].find((value) => typeof value === 'string')
  const amount = readAmount(fields.amount)
  if (typeof reference === 'string') return { amount, reference }
  const id = idOf(params.id) ?? (path === '/refunds' ? queriedId(query.id) : undefined)
  if (id === undefined) return { amount }
  const found = await findSubject(sql, tenant, path, id)
  return { reference: found?.reference, amount: amount ?? found?.amount }
}

async function findSubject(
  sql: Sql,
  tenant: Tenant,
  path: string,
  id: bigint,
): Promise<{ reference: string | undefined; amount: Decimal } | undefined> {
  if (path.startsWith('/transfers')) return findTransfer(sql, tenant, id)
  if (path === '/refunds/:id') {
    const refund = await findRefund(sql, tenant, id)
    const charge = refund && (await findCharge(sql, tenant, refund.chargeId))
    return refund && { reference: charge?.txRef, amount: refund.amount }
  }
  if (!path.startsWith('/transactions') && path !== '/refunds') return undefined
  const charge = await findCharge(sql, tenant, id)
  return charge && { reference: charge.txRef, amount: charge.amount }
}

function readAmount(value: unknown): Decimal | undefined {
  const text = value instanceof ExactNumber ? value.source : value
  return typeof text === 'string' ? parseDecimal(text) : undefined
}

function queriedId(value: unknown): bigint | undefined {
  return typeof value === 'string' ? idOf(value) : undefined
}
