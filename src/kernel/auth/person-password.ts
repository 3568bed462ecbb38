// Passwords are stored as argon2id in the PHC string format. Each hash contains its costs, so they
// can be raised later without changing existing hashes.
import { type Argon2Parameters, argon2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { assert } from '../basics/assert.ts'
import { invalidField } from '../basics/fault.ts'
import type { Ids } from '../basics/id.ts'

// The first of OWASP's equally strong choices: about 60 ms of one core and 46 MiB per try. Node
// runs at most four at once, which bounds the memory that a flood can take.
const memoryKibibytes = 47_104
const passes = 1
const parallelism = 1
const saltBytes = 16
const tagBytes = 32

export const passwordLengthMin = 12
// Longer than any password manager generates; it bounds the work of one request.
export const passwordLengthMax = 256

export async function hashPassword(ids: Ids, password: string): Promise<string> {
  const salt = ids.randomBytes(saltBytes)
  const tag = await derive(password, salt, { memoryKibibytes, passes, parallelism })
  const costs = `m=${memoryKibibytes},t=${passes},p=${parallelism}`
  return `$argon2id$v=19$${costs}$${base64(salt)}$${base64(tag)}`
}

export async function verifyPassword(hash: string, password: string): Promise<boolean> {
  const match = hashPattern.exec(hash)
  const [, memory, time, lanes, salt, tag] = match ?? []
  assert(memory && time && lanes && salt && tag, 'a stored password is not an argon2id hash')
  const expected = Buffer.from(tag, 'base64')
  const actual = await derive(password, Buffer.from(salt, 'base64'), {
    memoryKibibytes: Number(memory),
    passes: Number(time),
    parallelism: Number(lanes),
  })
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

// A password to pass on to a person: 120 bits in 20 characters.
export function makePassword(ids: Ids): string {
  return ids.randomBytes(15).toString('base64url')
}

export function assertPasswordAcceptable(password: string): void {
  if (password.length < passwordLengthMin || password.length > passwordLengthMax) {
    throw invalidField(
      'password',
      `Use ${passwordLengthMin} to ${passwordLengthMax} characters; several words are fine.`,
    )
  }
}

const hashPattern =
  /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

type Costs = { memoryKibibytes: number; passes: number; parallelism: number }

const argon2Async = promisify(argon2)

async function derive(password: string, salt: Buffer, costs: Costs): Promise<Buffer> {
  const parameters: Argon2Parameters = {
    // The same characters may be typed composed or decomposed, depending on the keyboard.
    message: Buffer.from(password.normalize('NFKC')),
    nonce: salt,
    memory: costs.memoryKibibytes,
    passes: costs.passes,
    parallelism: costs.parallelism,
    tagLength: tagBytes,
  }
  return argon2Async('argon2id', parameters)
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
