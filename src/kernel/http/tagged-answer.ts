// Responses with an `ETag` (RFC 9110, 8.8.3): a caller that already has the same content gets 304
// without a body. As everywhere in the interface, no cache in between may store them; the tag is
// for the caller itself.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { writeJson } from '../money/exact-number.ts'
import { describedAs } from '../operations/schemas.ts'
import { type Answer, answer, type Responses } from './route.ts'

export const ifNoneMatchHeader = z.object({
  // Never refused: an invalid tag matches nothing.
  'if-none-match': describedAs(z.string().optional(), {
    type: 'string',
    pattern: '^[!-~]*$',
    description: 'The `ETag` of an earlier response. If nothing has changed, the response is 304.',
  }),
})

export function taggedResponses(description: string, schema: z.ZodType): Responses {
  const headers = { ETag: 'Identifies the content of this response.' }
  return {
    200: { description, schema, headers },
    304: { description: 'Not modified.', headers },
  }
}

// The tag starts with the version, for people.
export function taggedAnswer(
  version: bigint,
  body: unknown,
  headers: z.output<typeof ifNoneMatchHeader>,
): Answer {
  const digest = createHash('sha256').update(writeJson(body)).digest('base64url').slice(0, 22)
  const tag = `"${version}-${digest}"`
  const isKnown = matches(headers['if-none-match'], tag)
  return { ...(isKnown ? answer(304, undefined) : answer(200, body)), headers: { etag: tag } }
}

// A weak tag counts like a strong one here, and a star matches every tag.
function matches(ifNoneMatch: string | undefined, tag: string): boolean {
  const known = (ifNoneMatch ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''))
  return known.includes(tag) || known.includes('*')
}
