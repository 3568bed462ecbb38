// The end of a charge that a recurring schedule made, in the transaction that ends its payment. The
// caller has locked the payment.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { notify } from '../../kernel/notices/notify.ts'
import type { MerchantContext } from '../context.ts'
import { requestSubscriberMail } from '../payer-mails/send-subscriber-mail.ts'
import type { Payment } from '../payments/payment.ts'
import {
  findScheduleCharge,
  type ScheduleCharge,
  updateScheduleCharge,
} from './schedule-charge-store.ts'

export async function collectScheduleCharge(
  tx: Tx,
  tenant: Tenant,
  payment: Payment,
): Promise<void> {
  await endCharge(tx, tenant, payment)
}

// There is no other try: the invoice stays open. The customer is told, and can pay it on its page;
// the people of the business are told as well.
export async function failScheduleCharge(
  tx: Tx,
  context: MerchantContext,
  tenant: Tenant,
  payment: Payment,
  reason: string,
): Promise<void> {
  const charge = await endCharge(tx, tenant, payment)
  if (!charge) return
  const { scheduleId, number, day, subscriptionId } = charge
  const told = { kind: 'failed_renewal', subscriptionId, paymentId: payment.id, day: null } as const
  await requestSubscriberMail(tx, context, tenant, told)
  await notify(tx, context, tenant, {
    kind: 'recurring',
    fact: `recurring.declined/${scheduleId}/${number}`,
    subject: 'A recurring invoice could not be charged to the saved card',
    lines: [
      `The charge for the invoice of ${day} failed: ${reason}.`,
      'The invoice stays open, and its customer can pay it on its page.',
    ],
    path: `/recurring/${scheduleId}`,
  })
}

async function endCharge(
  tx: Tx,
  tenant: Tenant,
  { id, invoiceId }: Payment,
): Promise<ScheduleCharge | undefined> {
  if (invoiceId === null) return undefined
  const charge = await findScheduleCharge(tx, tenant, id)
  if (charge) await updateScheduleCharge(tx, tenant, id, { nextAt: null })
  return charge
}
