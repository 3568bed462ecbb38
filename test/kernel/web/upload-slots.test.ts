import { expect, it } from 'vitest'
import { createUploadSlots } from '../../../src/kernel/web/upload-slots.ts'

const kindOf = (work: () => unknown) => {
  try {
    work()
    return 'taken'
  } catch (error) {
    return (error as { kind: string }).kind
  }
}

it('limits parallel uploads per object, per address and in all, until they have ended', () => {
  const slots = createUploadSlots()
  const take = (address: string, object: string) => slots.take({ address, object })
  const first = take('192.0.2.1', 'one')
  take('192.0.2.2', 'one')
  expect(kindOf(() => take('192.0.2.3', 'one'))).toBe('rate_limited')
  first()
  // Freed twice, it is free once.
  first()
  take('192.0.2.3', 'one')
  expect(kindOf(() => take('192.0.2.1', 'one'))).toBe('rate_limited')
  // One site has a whole /64 of addresses.
  for (const at of [1, 2, 3, 4]) take(`2001:db8::${at}`, `site ${at}`)
  expect(kindOf(() => take('2001:db8::5', 'site 5'))).toBe('rate_limited')
  take('192.0.2.4', 'two')
  take('192.0.2.5', 'three')
  expect(kindOf(() => take('192.0.2.6', 'four'))).toBe('unavailable')
})
