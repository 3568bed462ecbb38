// Mails a person about their own account. It is part of the transaction of the change, which must
// not fail because of an invalid mail address.
import type { Context } from '../db/context.ts'
import type { Tx } from '../db/database.ts'
import { parseMailAddress } from '../mail/mail.ts'
import { queueMail } from '../mail/queue-mail.ts'

export type PersonLetter = {
  readonly subject: string
  readonly lines: readonly string[]
  // Contains a link: the content is deleted as soon as it is sent.
  readonly isSecret?: boolean
}

export async function mailPerson(
  tx: Tx,
  context: Pick<Context, 'clock' | 'ids'>,
  email: string,
  { subject, lines, isSecret = false }: PersonLetter,
): Promise<void> {
  const to = parseMailAddress(email)
  if (!to) return
  const text = [...lines, ''].join('\n')
  await queueMail(tx, context, { tenant: null, to: [to], subject, text, isSecret })
}
