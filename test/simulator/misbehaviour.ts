// Shared by the tests of misbehaviour.
import { type Merchant, type Provider, reference } from './provider.ts'

export async function fundedMerchant(provider: Provider): Promise<Merchant> {
  const shop = await provider.merchant()
  await shop.control('POST', '/fund', { amount: 1_000_000, currency: 'NGN' })
  return shop
}

export function transfer(change: Record<string, unknown> = {}) {
  return {
    account_bank: '044',
    account_number: '0690000031',
    amount: 1000,
    currency: 'NGN',
    reference: reference(),
    ...change,
  }
}

export async function transferStatus(shop: Merchant, wanted: string) {
  const { body } = await shop.call('GET', `/transfers?reference=${wanted}`)
  return body.data[0]?.status
}

export async function chargeStatus(shop: Merchant, txRef: string) {
  return (await verify(shop, txRef)).status
}

export async function verify(shop: Merchant, txRef: string) {
  const { body } = await shop.call('GET', `/transactions/verify_by_reference?tx_ref=${txRef}`)
  return body.data
}

// What the merchant was told, in order.
export const statuses = (shop: Merchant) => shop.webhooks.map(({ body }) => body.data?.status)
