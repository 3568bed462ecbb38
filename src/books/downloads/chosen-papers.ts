// The documents or quotes that a person has chosen in a list.
import { z } from 'zod'
import { uuid } from '../../kernel/operations/schemas.ts'

export function chosenPapers(countMax: number, tooMany: string) {
  return z.strictObject({
    kind: z.enum(['document', 'quote']).default('document'),
    ids: z
      .array(uuid())
      .min(1, { error: 'Choose at least one document.' })
      .max(countMax, { error: tooMany }),
  })
}
