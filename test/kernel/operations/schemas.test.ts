// The messages of our schemas, also where Zod has its own.
import { expect, test } from 'vitest'
import { emailAddress } from '../../../src/kernel/operations/schemas.ts'

test.each([
  ['no-one', 'Must be an e-mail address.'],
  [`${'a'.repeat(250)}@b.example`, 'At most 254 characters.'],
])('an e-mail address such as %s is refused in a sentence', (text, message) => {
  const { error } = emailAddress().safeParse(text)
  expect(error?.issues.map((issue) => issue.message)).toContain(message)
})
