// Limits concurrent uploads, because their files are in memory until they are stored. An upload
// without a free slot is refused before a byte of it is read.
import { Fault } from '../basics/fault.ts'
import { addressKey } from '../http/rate-limit.ts'

// About 16 MB each, so at most 128 MB in all.
const slotsMax = 8
// An office may share an address.
const slotsMaxPerAddress = 4
// A second one while the first is ending, after a double click.
const slotsMaxPerObject = 2
const retryAfterSeconds = 5

export type UploadSlots = {
  // Returns the function that frees the slot.
  take(uploader: { readonly address: string; readonly object: string }): () => void
}

export function createUploadSlots(): UploadSlots {
  const taken = new Map<string, number>()
  return {
    take({ address, object }) {
      const keys = { all: 'all', address: `a ${addressKey(address)}`, object: `o ${object}` }
      const count = (key: string) => taken.get(key) ?? 0
      const isOwnLimit =
        count(keys.address) >= slotsMaxPerAddress || count(keys.object) >= slotsMaxPerObject
      if (isOwnLimit) {
        const message = 'Another upload is still running. Wait until it has ended, then try again.'
        throw new Fault('rate_limited', message, { retryAfterSeconds })
      }
      if (count(keys.all) >= slotsMax) {
        const message = 'Too many uploads are running. Try again in a moment.'
        throw new Fault('unavailable', message, { retryAfterSeconds })
      }
      for (const key of Object.values(keys)) taken.set(key, count(key) + 1)
      let isFree = false
      return () => {
        if (isFree) return
        isFree = true
        for (const key of Object.values(keys)) {
          if (count(key) > 1) taken.set(key, count(key) - 1)
          else taken.delete(key)
        }
      }
    },
  }
}
