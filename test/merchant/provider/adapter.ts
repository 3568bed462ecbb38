// The adapter against the simulator, as an ordinary merchant.
import { createLog } from '../../../src/kernel/basics/log.ts'
import { createFlutterwave } from '../../../src/merchant/provider/flutterwave.ts'
import type {
  Provider as Adapter,
  CheckoutInstruction,
  Outcome,
} from '../../../src/merchant/provider/provider.ts'
import { type Merchant, type Provider, reference } from '../../simulator/provider.ts'

const log = createLog('silent')

export type Shop = { shop: Merchant; adapter: Adapter }

export async function shopAt(provider: Provider, timeoutMs?: number): Promise<Shop> {
  const shop = await provider.merchant()
  const baseUrl = `${provider.apiUrl}/v3`
  return { shop, adapter: createFlutterwave({ baseUrl, secretKey: shop.key, log, timeoutMs }) }
}

export function instruction(overrides: Partial<CheckoutInstruction> = {}): CheckoutInstruction {
  return {
    reference: reference(),
    amountMinor: 100_000n,
    currency: 'NGN',
    payerEmail: 'payer@example.com',
    payerName: 'Test Payer',
    title: 'Corner shop',
    description: 'Two loaves',
    returnUrl: 'https://tillbook.example/pay/back',
    sessionMinutes: 30,
    split: null,
    ...overrides,
  }
}

// A checkout that its payer has paid, or tried to: the charge as the adapter finds it.
export async function pay(
  { shop, adapter }: Shop,
  wanted: CheckoutInstruction = instruction(),
  card = 'no_auth',
) {
  successOf(await adapter.createCheckout(wanted))
  const paid = await shop.control('POST', '/pay', { tx_ref: wanted.reference, card })
  if (paid.status !== 200) throw new Error(paid.text)
  await shop.drain()
  const charge = successOf(await adapter.findCharge(wanted.reference))
  if (!charge) throw new Error('the provider does not know the charge')
  return charge
}

export function successOf<Value>(outcome: Outcome<Value>): Value {
  if (outcome.kind !== 'success') throw new Error(`no success: ${JSON.stringify(outcome)}`)
  return outcome.value
}
