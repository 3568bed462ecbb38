// The secret part of a link that is mailed to a person. The database has only its hash, so someone
// who reads it there can't open the link.
import { createHash } from 'node:crypto'
import type { Ids } from '../basics/id.ts'

export type LinkToken = { readonly text: string; readonly hash: Buffer }

export function makeLinkToken(ids: Ids): LinkToken {
  const text = ids.randomBytes(24).toString('base64url')
  return { text, hash: linkTokenHash(text) }
}

export function linkTokenHash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
