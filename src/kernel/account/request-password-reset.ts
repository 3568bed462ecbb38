// Someone forgot the password. The answer must not tell whether the address has an account, not
// even by the time it takes, so the request only queues a job, and the job looks the person up.
import { z } from 'zod'
import { makeLinkToken } from '../auth/link-token.ts'
import { mailPerson } from '../auth/mail-person.ts'
import { listMembershipsOfPerson } from '../auth/membership-store.ts'
import { normaliseEmail } from '../auth/person.ts'
import { insertOrReplaceLink } from '../auth/person-link-store.ts'
import { findPersonByEmail } from '../auth/person-store.ts'
import { recordOwnAct } from '../auth/record-own-act.ts'
import { countResetRequest } from '../auth/sign-in-limits.ts'
import { addSeconds } from '../basics/clock.ts'
import { Fault, invalidField } from '../basics/fault.ts'
import type { Context } from '../db/context.ts'
import { enqueueJob } from '../jobs/enqueue-job.ts'
import { defineJob, type JobRun } from '../jobs/job.ts'
import type { ServiceContext } from '../operations/service-context.ts'

const linkSeconds = 60 * 60

export async function requestPasswordReset(
  context: Context,
  { email: typed, address }: { readonly email: string; readonly address: string },
): Promise<void> {
  const email = normaliseEmail(typed)
  if (!email) throw invalidField('email', 'Enter an e-mail address, such as name@example.com.')
  const counted = await countResetRequest(context, { email, address })
  if (counted === 'enough') return
  if (counted) {
    throw new Fault('rate_limited', 'Too many requests. Try again in a few minutes.', counted)
  }
  await context.database.transaction((tx) =>
    enqueueJob(tx, context, mailPasswordResetJob, { tenant: null, payload: { email } }),
  )
}

type Payload = { readonly email: string }

export const mailPasswordResetJob = defineJob({
  kind: 'mail-password-reset',
  schema: z.object({ email: z.string() }),
  attemptsMax: 5,
  retryDelaysSeconds: [5, 30, 120],
  leaseSeconds: 60,
  run: mailLink,
})

// A repeated run mails another link, and only the newest works.
async function mailLink(
  context: ServiceContext,
  { payload: { email } }: JobRun<Payload>,
): Promise<void> {
  const { clock, ids, publicUrl } = context
  await context.database.transaction(async (tx) => {
    const person = await findPersonByEmail(tx, email)
    if (!person) return
    const { personId } = person
    if ((await listMembershipsOfPerson(tx, personId)).length === 0) return
    const token = makeLinkToken(ids)
    const createdAt = clock.now()
    await insertOrReplaceLink(tx, {
      ...{ personId, kind: 'password_reset', newEmail: null, tokenHash: token.hash },
      ...{ createdAt, expiresAt: addSeconds(createdAt, linkSeconds) },
    })
    await recordOwnAct(tx, context, personId, { action: 'person.request_password_reset' })
    await mailPerson(tx, context, email, letter(`${publicUrl}/reset-password/${token.text}`))
  })
}

function letter(url: string) {
  return {
    subject: 'Choose a new password',
    isSecret: true,
    lines: [
      'Someone asked for a new password for your account. If this was you, open this link within',
      'an hour:',
      '',
      `  ${url}`,
      '',
      'If this was not you, ignore this mail. Your password stays as it is.',
    ],
  }
}
