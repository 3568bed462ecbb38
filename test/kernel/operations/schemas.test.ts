// The vetted schemas answer what they refuse with sentences, also where Zod has words of its own.
import { expect, test } from 'vitest'
import { emailAddress } from '../../../src/kernel/operations/schemas.ts'

test.each([
  ['nobody', 'Must be an e-mail address.'],
  [`${'a'.repeat(250)}@b.example`, 'At most 254 characters.'],
])('an e-mail address such as %s is refused in a sentence', (text, message) => {
  const { error } = emailAddress().safeParse(text)
  expect(error?.issues.map((issue) => issue.message)).toContain(message)
})
