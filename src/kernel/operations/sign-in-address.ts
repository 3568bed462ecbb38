import { z } from 'zod'
import { normaliseEmail } from '../auth/person.ts'

// The address with which a person signs in: trimmed and in lower case.
export const signInAddress = z.string().transform((text, refinement) => {
  const email = normaliseEmail(text)
  if (email) return email
  refinement.addIssue({
    code: 'custom',
    message: 'Enter an e-mail address, such as name@example.com.',
  })
  return z.NEVER
})
