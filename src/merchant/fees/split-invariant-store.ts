// The query of the invariant of shares. It reads all tenants without locks.
import type { Sql } from '../../kernel/db/database.ts'
import type { Violation } from '../../kernel/db/invariant.ts'
import { basisPointsOfNaira, basisPointsOfOthers } from '../provider/provider-fee.ts'

// A charge without a rule has a share of the net. The limit by the provider's fee is newer than
// that rule, so such a share may be limited or not. Shares from before fees were fixed with the
// charge can't be computed again.
export async function listMissharedCharges(sql: Sql, limit: number): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select
      payment.business_id, payment.environment, payment.id as payment_id, payment.split_rule,
      payment.split_minor, share.of_charge_minor, share.of_net_minor, share.most_minor
    from merchant.payments as payment
    join merchant.split_recipients as recipient
      on recipient.business_id = payment.business_id
      and recipient.environment = payment.environment
      and recipient.id = payment.split_recipient_id
    cross join lateral (
      select
        round(payment.amount_minor * recipient.split_percent * 0.01) as of_charge_minor,
        round((payment.amount_minor - payment.agreed_fee_minor) * recipient.split_percent * 0.01)
          as of_net_minor,
        payment.amount_minor - ceil(
          payment.amount_minor * 0.0001
            * case payment.currency
              when 'NGN' then ${basisPointsOfNaira}::bigint
              else ${basisPointsOfOthers}::bigint
            end
        ) as most_minor
    ) as share
    where case payment.split_rule
      when 'of_charge' then payment.split_minor is distinct from least(
        share.of_charge_minor, payment.amount_minor - payment.agreed_fee_minor, share.most_minor)
      else payment.split_minor
        not between least(share.of_net_minor, share.most_minor) and share.of_net_minor
    end
    order by payment.business_id, payment.environment, payment.id
    limit ${limit}`
}
