// Keys for SECRETS_KEY that are the same in every run, and pass the check for weak keys.
import { createHash } from 'node:crypto'

export function secretsKeyOf(version: number): Buffer {
  return createHash('sha256').update(`secrets key ${version}`).digest()
}
