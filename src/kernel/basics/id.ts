// Ids are made here, never by the database: a row can be named before it is written, and rows that
// belong together can be prepared outside the transaction that inserts them.
// They are UUIDv7: they sort by the time they were made, and stay in order within one process
// even inside one millisecond (a 12-bit counter stands where the version leaves room for it).
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
        // Start low, so that a burst within the millisecond has room to count up.
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

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isUuid(text: string): boolean {
  return uuidPattern.test(text)
}

// No id that is made at that moment or later sorts before it.
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
