// The owner's actions on the hosted pages, without a browser.
import type { Environment, Tenant } from '../../src/kernel/basics/tenant.ts'
import * as resolver from '../../src/merchant/verification/resolve-verifications.ts'
import type { CallResult, World } from './world.ts'

export type Applicant = {
  readonly world: World
  readonly tenant: Tenant
  readonly key: string
  readonly sessionId: string
  // Of the hosted pages.
  readonly path: string
  view(page?: string): Promise<CallResult>
  post(page: string, fields?: Record<string, string>): Promise<CallResult>
  upload(kind: string, bytes: Uint8Array, name?: string): Promise<CallResult>
  uploadAll(...files: readonly FormFile[]): Promise<CallResult>
  // The same with the button that also goes to the next step.
  uploadAndContinue(...files: readonly FormFile[]): Promise<CallResult>
  // What `GET /account` answers to the key.
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  account(): Promise<any>
}

export const pdf = Buffer.from('%PDF-1.7\nA certificate.')
export const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])
export const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])

export const details = {
  legalName: 'Corner Shop Limited',
  kind: 'company',
  registrationNumber: 'RC 123456',
  street: '1 Market Street',
  city: 'Lagos',
  activity: 'Sells groceries.',
}

export const owner = { name: 'Ada Obi', bornOn: '1980-12-31', share: '60' }

type Wanted = { businessId?: string; environment?: Environment }

export async function applicant(world: World, wanted: Wanted = {}): Promise<Applicant> {
  const { environment = 'live' } = wanted
  const businessId = wanted.businessId ?? (await world.business({ kycStatus: 'unverified' }))
  const { text: key } = await world.key({ service: 'merchant', businessId, environment })
  return applicantWith(world, { businessId, environment }, key)
}

export async function applicantWith(world: World, tenant: Tenant, key: string): Promise<Applicant> {
  const { status, text, body } = await world.call('POST', verification, { key })
  if (status !== 200) throw new Error(`no session: ${status} ${text}`)
  const path = new URL(body.verificationUrl).pathname
  const { origin } = new URL(world.context.publicUrl)
  const send = (page: string, rawBody: string | Uint8Array, type: string) =>
    world.call('POST', path + page, { rawBody, headers: { origin, 'content-type': type } })
  return {
    world,
    tenant,
    key,
    path,
    sessionId: body.sessionId,
    view: (page = '') => world.call('GET', path + page, { headers: { accept: 'text/html' } }),
    post: (page, fields = {}) =>
      send(page, new URLSearchParams(fields).toString(), 'application/x-www-form-urlencoded'),
    upload: (kind, bytes, name = 'scan.pdf') => {
      const form = multipart({ field: `file-${kind}`, name, bytes })
      return send('/documents', form.body, form.type)
    },
    uploadAll: (...files) => {
      const form = multipart(...files)
      return send('/documents', form.body, form.type)
    },
    uploadAndContinue: (...files) => {
      const form = multipart(...files)
      return send('/documents?then=continue', form.body, form.type)
    },
    account: async () => (await world.call('GET', '/merchant/api/v1/account', { key })).body,
  }
}

export const verification = '/merchant/api/v1/account/verification'

export type FormFile = { field: string; name: string; bytes: Uint8Array }

export function multipart(...files: readonly FormFile[]): { body: Buffer; type: string } {
  const mark = 'a-mark-between-parts'
  const parts = files.flatMap(({ field, name, bytes }) => {
    const disposition = `form-data; name="${field}"; filename="${name}"`
    const head = `--${mark}\r\nContent-Disposition: ${disposition}\r\n\r\n`
    return [Buffer.from(head), bytes, Buffer.from('\r\n')]
  })
  const body = Buffer.concat([...parts, Buffer.from(`--${mark}--\r\n`)])
  return { body, type: `multipart/form-data; boundary=${mark}` }
}

// Everything but the identity check and the last button.
export async function fillDossier(
  { post, upload }: Applicant,
  overrides: { legalName?: string; ownerName?: string } = {},
): Promise<void> {
  const { legalName = details.legalName, ownerName = owner.name } = overrides
  await post('/details', { ...details, legalName })
  await upload('registration', pdf)
  await upload('address', png, 'bill.png')
  await upload('identity', jpeg, 'card.jpg')
  await post('/owners', { ...owner, name: ownerName })
}

export async function checkIdentity(
  { world, view, post }: Applicant,
  verdict: 'passed' | 'failed' = 'passed',
): Promise<void> {
  const page = await startCheck(await ownerId({ view }), post)
  const headers = { origin: new URL(world.context.publicUrl).origin, ...formType }
  const answer = await world.call('POST', page, { rawBody: `verdict=${verdict}`, headers })
  if (answer.status !== 303) throw new Error(`no verdict: ${answer.status} ${answer.text}`)
  await view('/identity/return')
}

const formType = { 'content-type': 'application/x-www-form-urlencoded' }

// Presses the button; answers where the verifier's page is.
export async function startCheck(owner: string, post: Applicant['post']): Promise<string> {
  const { status, text, headers } = await post('/identity', { owner })
  if (status !== 303) throw new Error(`no check: ${status} ${text}`)
  return new URL(headers.get('location') ?? '').pathname
}

export async function ownerId({ view }: Pick<Applicant, 'view'>): Promise<string> {
  const { text } = await view('/identity')
  const id = /name="owner" value="([^"]+)"/.exec(text)?.[1]
  if (!id) throw new Error(`no owner on the page: ${text}`)
  return id
}

export async function submit({ post }: Applicant): Promise<CallResult> {
  return post('/review', { confirm: 'yes' })
}

// What a worker does every few seconds.
export async function resolve(world: World): Promise<void> {
  await resolver.resolveVerificationsSchedule.run(world.context, new AbortController().signal)
}

// The whole way to a decision.
export async function apply(
  one: Applicant,
  overrides: { legalName?: string; ownerName?: string } = {},
): Promise<void> {
  await fillDossier(one, overrides)
  await checkIdentity(one)
  await submit(one)
  await resolve(one.world)
}

export async function acts({ world, tenant }: Applicant): Promise<string[]> {
  const rows = await world.database.sql<{ action: string }[]>`
    select action
    from kernel.audit_log
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and action like 'verification.%'
    order by at, id`
  return rows.map(({ action }) => action)
}
