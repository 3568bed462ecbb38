// Tells the people of a business about a fact, by mail and in the application. The notice is part
// of the transaction of the fact. A job writes the mails, because only it knows the address of the
// application and the members at that time.
import { z } from 'zod'
import type { Role } from '../auth/actor.ts'
import { findBusiness } from '../auth/business-store.ts'
import { listMembers, type Member } from '../auth/membership-store.ts'
import { assertDefined } from '../basics/assert.ts'
import type { Tenant } from '../basics/tenant.ts'
import type { Context } from '../db/context.ts'
import type { Tx } from '../db/database.ts'
import { enqueueJob } from '../jobs/enqueue-job.ts'
import { CauseMissing, defineJob, type JobRun } from '../jobs/job.ts'
import { parseMailAddress } from '../mail/mail.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { isOnByDefault, type Notice, type NoticeKind, type NoticeWay } from './notice.ts'
import {
  type Choice,
  findNoticeExists,
  insertNotice,
  listChoices,
  type StoredNotice,
  updateNoticeMailed,
} from './notice-store.ts'
import { insertShownNotices } from './shown-notice-store.ts'

// The sandbox and sample data notify no one.
export async function notify(
  tx: Tx,
  context: Pick<Context, 'clock' | 'ids' | 'sample'>,
  { businessId, environment }: Tenant,
  notice: Notice,
): Promise<void> {
  if (environment === 'test' || context.sample) return
  const tenant = { businessId, environment }
  const id = context.ids.uuid()
  const isNew = await insertNotice(tx, tenant, { ...notice, id, createdAt: context.clock.now() })
  if (!isNew) return
  await enqueueJob(tx, context, mailNoticeJob, { tenant, payload: { id }, uniqueKey: id })
}

const payloadSchema = z.object({ id: z.uuid() })

type NoticeContext = Context & { readonly publicUrl: string }

export const mailNoticeJob = defineJob({
  kind: 'mail-notice',
  schema: payloadSchema,
  attemptsMax: 10,
  retryDelaysSeconds: [60, 300, 900],
  leaseSeconds: 30,
  run: mailNotice,
})

async function mailNotice(
  context: NoticeContext,
  { tenant, payload }: JobRun<{ id: string }>,
): Promise<void> {
  const ofTenant = assertDefined(tenant, 'a notice of no business')
  await context.database.transaction((tx) => write(tx, context, ofTenant, payload.id))
}

async function write(tx: Tx, context: NoticeContext, tenant: Tenant, id: string): Promise<void> {
  const { businessId } = tenant
  const notice = await updateNoticeMailed(tx, tenant, id, context.clock.now())
  if (!notice) {
    if (await findNoticeExists(tx, tenant, id)) return
    throw new CauseMissing('no such notice')
  }
  const members = await listMembers(tx, businessId)
  const choices = await listChoices(tx, businessId)
  const business = await findBusiness(tx, businessId)
  const told = (way: NoticeWay) => members.filter((one) => isTold(one, notice, choices, way))
  const shownTo = told('app').map(({ personId }) => personId)
  await insertShownNotices(tx, tenant, id, shownTo)
  for (const member of told('mail')) {
    const to = parseMailAddress(member.email)
    if (to === undefined || isReserved(to)) continue
    const text = letter(`${context.publicUrl}/b/${businessId}`, business?.name ?? '', notice)
    const { subject } = notice
    await queueMail(tx, context, { tenant, kind: 'notice', to: [to], subject, text })
  }
}

function isTold(
  { personId, role }: Pick<Member, 'personId' | 'role'>,
  { kind, roles, exceptPersonId }: StoredNotice,
  choices: readonly Choice[],
  way: NoticeWay,
): boolean {
  if (personId === exceptPersonId) return false
  if (roles !== null && !roles.includes(role)) return false
  return isWanted(kind, personId, role, choices, way)
}

// What the person chose, or what their role gets.
export function isWanted(
  kind: NoticeKind,
  personId: string,
  role: Role,
  choices: readonly Choice[],
  way: NoticeWay,
): boolean {
  const chosen = choices.find((choice) => choice.personId === personId && choice.kind === kind)
  return (way === 'mail' ? chosen?.isOn : chosen?.isShown) ?? isOnByDefault(kind, role, way)
}

// No mail arrives at a name that ends like this (RFC 2606). The people of a demo have such ones.
function isReserved(address: string): boolean {
  return address.endsWith('.example')
}

function letter(base: string, businessName: string, { lines, path }: StoredNotice): string {
  return [
    ...lines,
    '',
    `  ${base}${path}`,
    '',
    `You get this mail as a member of ${businessName}. Choose your notifications:`,
    `  ${base}/settings/notifications`,
    '',
  ].join('\n')
}
