// The mails to owners about the people of their business.
import type { Actor } from '../auth/actor.ts'
import { findMember, type Member } from '../auth/membership-store.ts'
import type { Tx } from '../db/database.ts'
import type { ServiceContext } from '../operations/service-context.ts'
import { mailOwners } from './mail-owners.ts'

export type News = {
  readonly subject: string
  // What happened, or what needs another owner's approval, in lines of about 80 characters.
  sentence(person: string, businessName: string): string
  // It has not happened yet: an owner must confirm it.
  readonly approvalId?: string
  // The person gets the mail too.
  readonly tellsPerson?: boolean
}

export async function mailNews(
  tx: Tx,
  context: Pick<ServiceContext, 'clock' | 'ids' | 'publicUrl'>,
  actor: Actor,
  { name, email }: Pick<Member, 'name' | 'email'>,
  { subject, sentence, approvalId, tellsPerson = false }: News,
): Promise<void> {
  const by = await nameActor(tx, actor)
  const { businessId } = actor
  await mailOwners(
    tx,
    context,
    { businessId, environment: 'live' },
    {
      subject,
      also: tellsPerson ? [email] : [],
      lines: (businessName) => [
        sentence(`${name} (${email})`, businessName),
        '',
        `${approvalId === undefined ? 'Done' : 'Asked for'} by ${by}.`,
        ...(approvalId === undefined
          ? unexpected
          : confirming(`${context.publicUrl}/b/${businessId}/approvals/${approvalId}`)),
      ],
    },
  )
}

const unexpected = ['If you did not expect this, talk to the other owners and your operator now.']

function confirming(url: string): string[] {
  return [
    'An owner who did not ask for it has to approve it within thirty days. If you did not expect',
    'it, reject it:',
    '',
    `  ${url}`,
  ]
}

export async function nameActor(tx: Tx, actor: Actor): Promise<string> {
  if (actor.kind === 'key') return 'an API key'
  if (actor.kind === 'system') return 'the operator of the server'
  const member = await findMember(tx, actor.businessId, actor.personId)
  return member ? `${member.name} (${member.email})` : 'someone who has left'
}
