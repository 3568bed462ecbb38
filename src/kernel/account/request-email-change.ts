// Asks for another e-mail address. It changes once the link that is mailed to it was opened
// (`change-email.ts`). The answer is the same if someone else has the address: it must not tell who
// has an account here.
import { z } from 'zod'
import { makeLinkToken } from '../auth/link-token.ts'
import { mailPerson } from '../auth/mail-person.ts'
import { insertOrReplaceLink } from '../auth/person-link-store.ts'
import { findPerson, findPersonByEmail } from '../auth/person-store.ts'
import { recordOwnAct } from '../auth/record-own-act.ts'
import { countCausedMail } from '../auth/sign-in-limits.ts'
import { addSeconds } from '../basics/clock.ts'
import { invalidField, notFound } from '../basics/fault.ts'
import { parseMailAddress } from '../mail/mail.ts'
import { requirePerson } from '../operations/permission.ts'
import { signInAddress } from '../operations/sign-in-address.ts'
import { defineOperation, ownAccount } from './define-operation.ts'

const linkSeconds = 24 * 60 * 60

export const requestEmailChange = defineOperation({
  name: 'request-email-change',
  summary: 'Change your own e-mail address; a link mailed to the new one confirms it',
  kind: 'write',
  input: z.strictObject({ email: signInAddress }),
  ...ownAccount,
  async run(context, actor, { email }): Promise<{ email: string }> {
    const { personId } = requirePerson(actor)
    if (!parseMailAddress(email))
      throw invalidField('email', 'No mail can be sent to this address.')
    await countCausedMail(context, { personId, businessId: actor.businessId })
    const { clock, ids, publicUrl } = context
    const token = makeLinkToken(ids)
    await context.database.transaction(async (tx) => {
      const person = await findPerson(tx, personId)
      if (!person) throw notFound('person')
      if (person.email === email) throw invalidField('email', 'This is your address already.')
      const createdAt = clock.now()
      const isTaken = (await findPersonByEmail(tx, email)) !== undefined
      // Also for an address that is taken: My account shows the same. No one gets that link.
      await insertOrReplaceLink(tx, {
        ...{ personId, kind: 'email_change', newEmail: email, tokenHash: token.hash },
        ...{ createdAt, expiresAt: addSeconds(createdAt, linkSeconds) },
      })
      const url = `${publicUrl}/confirm-email/${token.text}`
      await mailPerson(tx, context, email, isTaken ? takenLetter : confirmLetter(url))
      await mailPerson(tx, context, person.email, noticeLetter(email))
      await recordOwnAct(tx, context, personId, {
        action: 'person.request_email_change',
        detail: { email, before: person.email },
      })
    })
    return { email }
  },
})

function confirmLetter(url: string) {
  return {
    subject: 'Confirm your new e-mail address',
    isSecret: true,
    lines: [
      'Someone with an account asked to sign in with this e-mail address from now on.',
      'If this was you, sign in as before and confirm it within 24 hours:',
      '',
      `  ${url}`,
      '',
      'If this was not you, ignore this mail.',
    ],
  }
}

const takenLetter = {
  subject: 'This e-mail address has an account already',
  lines: [
    'Someone with another account asked to sign in with this e-mail address. It belongs to your',
    'account, so nothing was changed.',
  ],
}

function noticeLetter(email: string) {
  return {
    subject: 'A change of your e-mail address was requested',
    lines: [
      `Your account is to use ${email} instead of this address, once that is confirmed.`,
      '',
      'If this was not you, change your password at once and tell an owner of your business.',
    ],
  }
}
