// Answers that carry a tag of their content (RFC 9110, 8.8.3): whoever has the same already is told
// so without a body. Nothing in between may keep the answers, as everywhere in the interface; the
// tag is for the caller itself.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { writeJson } from '../money/exact-number.ts'
import { describedAs } from '../operations/schemas.ts'
import { type Answer, answer, type Responses } from './route.ts'

export const ifNoneMatchHeader = z.object({
  // Never refused: a tag that is none matches nothing.
  'if-none-match': describedAs(z.string().optional(), {
    type: 'string',
    pattern: '^[!-~]*$',
    description: 'The `ETag` of an earlier answer. When nothing changed since, the answer is 304.',
  }),
})

export function taggedResponses(description: string, schema: z.ZodType): Responses {
  const headers = { ETag: 'Stands for the content of this answer.' }
  return {
    200: { description, schema, headers },
    304: { description: 'What the caller has is what there is.', headers },
  }
}

// The version leads the tag, for a person to read.
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

// A weak tag is as good as a strong one here, and a star stands for every tag.
function matches(ifNoneMatch: string | undefined, tag: string): boolean {
  const known = (ifNoneMatch ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''))
  return known.includes(tag) || known.includes('*')
}
