import { expect, it } from 'vitest'
import { explainClearing } from '../../src/bridge/explain-clearing.ts'

const balance = {
  currency: 'NGN',
  pendingMinor: 500n,
  availableMinor: -20n,
  reservedMinor: 300n,
  walletMinor: 20n,
}

it('leaves nothing over where the books and the service agree', () => {
  const booked = [{ currency: 'NGN', amountMinor: 700n }]
  const waiting = [
    { currency: 'NGN', heldMinor: 150n },
    { currency: 'NGN', heldMinor: -50n },
  ]
  expect(explainClearing({ booked, waiting }, [balance])).toEqual([
    { ...balance, bookedMinor: 700n, waitingMinor: 100n, unexplainedMinor: 0n },
  ])
})

it('shows what is on one side alone', () => {
  const booked = [{ currency: 'EUR', amountMinor: 7n }]
  const found = explainClearing({ booked, waiting: [] }, [balance])
  expect(found.map(({ currency, unexplainedMinor }) => [currency, unexplainedMinor])).toEqual([
    ['EUR', 7n],
    ['NGN', -800n],
  ])
})
