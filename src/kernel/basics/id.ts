// Ids are made here, never by the database, so that a row has its id before it is written and
// related rows can be prepared outside the transaction. They are UUIDv7: sorted by time, and in
// order within one process even inside one millisecond (a 12-bit counter follows the version).
import { randomBytes } from 'node:crypto'
import type { Clock } from './clock.ts'

export type Ids = {
  uuid(): string
  randomBytes(length: number): Buffer
}

const counterMax = 0xfff

export function systemIds(clock: Clock): Ids {
  let lastMilliseconds = 0
  let counter = 0
  return {
    randomBytes,
    uuid() {
      const nowMilliseconds = clock.now().getTime()
      if (nowMilliseconds > lastMilliseconds) {
        lastMilliseconds = nowMilliseconds
        // Starts low, so that many ids fit into one millisecond.
        counter = randomBytes(1).readUInt8(0)
      } else if (counter === counterMax) {
        lastMilliseconds += 1
        counter = 0
      } else {
        counter += 1
      }
      return formatUuid(lastMilliseconds, counter, randomBytes(8))
    },
  }
}

// Not one of the ids that sort by time, for addresses that must not be guessed.
export function randomUuid({ randomBytes: bytes }: Pick<Ids, 'randomBytes'>): string {
  const hex = bytes(16).toString('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isUuid(text: string): boolean {
  return uuidPattern.test(text)
}

// Ids made at that time or later never sort before it.
export function lowestUuidAt(moment: Date): string {
  return formatUuid(Math.max(0, moment.getTime()), 0, Buffer.alloc(8))
}

function formatUuid(milliseconds: number, counter: number, random: Buffer): string {
  random.writeUInt8((random.readUInt8(0) & 0x3f) | 0x80, 0)
  const time = milliseconds.toString(16).padStart(12, '0')
  const tail = random.toString('hex')
  const version = `7${counter.toString(16).padStart(3, '0')}`
  return `${time.slice(0, 8)}-${time.slice(8)}-${version}-${tail.slice(0, 4)}-${tail.slice(4)}`
}
