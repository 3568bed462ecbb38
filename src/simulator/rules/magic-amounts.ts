// Amounts that cause misbehaviour, so that a person can try every outcome by hand: the two decimals
// decide, from .01 to .09. Keep the table in docs/simulator.md up to date.
import { type Decimal, powerOfTen } from '../../kernel/money/decimal.ts'
import type { Effect } from './rule.ts'

export type MagicPlace = 'charge' | 'refund' | 'transfer' | 'call' | 'webhook'

// Long enough to see the first status, short enough to wait for the second.
const laterMs = 10_000
const slowMs = 20_000

const later = (effect: string, more: Effect['parameters'] = {}): Effect => ({
  effect,
  parameters: { afterMs: laterMs, ...more },
})
const plain = (effect: string, parameters: Effect['parameters'] = {}): Effect => ({
  effect,
  parameters,
})

const webhooks: Record<string, Effect> = { 1: plain('withhold'), 2: plain('duplicate') }

const effects: Record<Exclude<MagicPlace, 'webhook'>, Record<string, Effect>> = {
  charge: {
    3: plain('settle_later'),
    4: plain('overpay', { amount: '1' }),
    5: plain('underpay', { amount: '1' }),
    6: later('succeed_after_decline'),
    7: plain('succeed_after_timeout', { afterMs: 0 }),
    8: later('reverse'),
    9: later('charge_back'),
  },
  refund: {
    3: plain('stay_accepted'),
    6: later('fail_later'),
    7: later('pass_through', { states: ['processing', 'completed', 'completed-bank-transfer'] }),
  },
  transfer: {
    3: plain('stay_new'),
    5: plain('fail'),
    6: later('fail_late'),
    7: later('fail_after_success'),
    9: plain('stay_pending'),
  },
  call: {
    4: plain('drop_after'),
    8: plain('delay_after', { ms: slowMs }),
  },
}

// Only these calls move money without a payer present. Others are not affected.
const magicCalls = new Set(['POST /transfers', 'POST /transactions/:id/refund'])

export function magicEffects(
  place: MagicPlace,
  amount: Decimal | undefined,
  operation = '',
): Effect[] {
  if (amount?.scale !== 2) return []
  if (place === 'call' && !magicCalls.has(operation)) return []
  const cents = (amount.digits % powerOfTen(2)).toString()
  const table = place === 'webhook' ? webhooks : effects[place]
  const effect = table[cents]
  return effect ? [effect] : []
}
