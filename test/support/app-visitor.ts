// People of a business who use the application over HTTP, as a browser without JavaScript does.

import type { Role } from '../../src/kernel/auth/actor.ts'
import { createPeople } from '../../src/kernel/auth/people.ts'
import type { Tenant } from '../../src/kernel/basics/tenant.ts'
import { signInPages } from '../../src/kernel/web/sign-in-pages.tsx'
import { setThreshold } from '../../src/merchant/approvals/set-threshold.ts'
import { type PeopleWorld, person, signedIn } from './people.ts'
import type { CallResult, World } from './world.ts'

export type AppVisitor = {
  readonly personId: string
  readonly email: string
  readonly backupCodes: readonly string[]
  // What the authenticator app shows; codes of past and future steps by the offset.
  code(stepOffset?: number): string
  // The cookies of the session.
  headers(): Record<string, string>
  get(path: string): Promise<CallResult>
  // Sends a form with the fields of the page, as filled in by the visitor.
  submit(path: string, fields?: Record<string, string>): Promise<CallResult>
  // Sends exactly these fields.
  post(path: string, fields: Record<string, string>): Promise<CallResult>
  // Fills in a form that has a file.
  upload(path: string, file: UploadedText, fields?: Record<string, string>): Promise<CallResult>
}

export type UploadedText = {
  readonly field: string
  readonly name: string
  readonly text: string | Buffer
}

export async function appVisitor(
  world: World,
  businessId: string,
  role: Role = 'owner',
): Promise<AppVisitor> {
  const { context } = world
  const peopleWorld = await peopleOf(world)
  const who = await person(peopleWorld)
  await context.database.transaction((tx) =>
    peopleWorld.people.addMembership(tx, businessId, who.personId, role),
  )
  const browser = await signedIn(peopleWorld, who)
  const headers = (extra: Record<string, string> = {}) => ({
    ...Object.fromEntries(browser.headers()),
    ...extra,
  })
  const address = (path: string) => `/b/${businessId}${path}`
  const get = (path: string) =>
    world.call('GET', address(path), { headers: headers({ accept: 'text/html' }) })
  const post = (path: string, fields: Record<string, string>) =>
    world.call('POST', address(path), {
      rawBody: new URLSearchParams(fields).toString(),
      headers: headers({
        accept: 'text/html',
        'content-type': 'application/x-www-form-urlencoded',
        origin: context.publicUrl,
      }),
    })
  async function upload(path: string, file: UploadedText, fields: Record<string, string> = {}) {
    const boundary = 'boundary-of-the-parts'
    const page = await get(path)
    const kept = Object.entries({ ...fieldsOf(page.text), ...fields })
    const parts = kept
      .filter(([name]) => name !== file.field)
      .map(([name, value]) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`)
    const disposition = `form-data; name="${file.field}"; filename="${file.name}"`
    const before = parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')
    return world.call('POST', address(path), {
      rawBody: Buffer.concat([
        Buffer.from(`${before}--${boundary}\r\nContent-Disposition: ${disposition}\r\n`),
        Buffer.from('Content-Type: text/csv\r\n\r\n'),
        Buffer.from(file.text),
        Buffer.from(`\r\n--${boundary}--\r\n`),
      ]),
      headers: headers({
        accept: 'text/html',
        'content-type': `multipart/form-data; boundary=${boundary}`,
        origin: context.publicUrl,
      }),
    })
  }
  return {
    personId: who.personId,
    email: who.email,
    backupCodes: who.backupCodes ?? [],
    code: who.code,
    headers,
    get,
    post,
    upload,
    async submit(path, fields = {}) {
      const page = await get(path)
      return post(path, { ...fieldsOf(page.text), ...fields })
    },
  }
}

const peopleWorlds = new WeakMap<World, Promise<PeopleWorld>>()

// One for all visitors of a world: it takes longer than their signing in.
function peopleOf(world: World): Promise<PeopleWorld> {
  const known = peopleWorlds.get(world)
  if (known) return known
  const made = createPeople(world.context, world.context).then((people) => ({
    context: world.context,
    people,
    pages: signInPages(people, (id) => `/b/${id}`),
    logged: [],
    waited: [],
  }))
  peopleWorlds.set(world, made)
  return made
}

// Refunds of a small shop need no second person.
export async function allowRefunds(world: World, tenant: Tenant): Promise<void> {
  const threshold = { operation: 'refund', currency: 'NGN', amountMinor: 100_000n } as const
  const actor = { kind: 'system', name: 'test', ...tenant } as const
  await world.database.transaction((tx) => setThreshold(tx, world.context, actor, threshold))
}

// What the first form in the page holds: hidden fields, inputs, texts and selected options.
export function fieldsOf(html: string): Record<string, string> {
  const form =
    /<form[^>]*method="post"(?![^>]*\/sign-out)[^>]*>(.*?)<\/form>/s.exec(html)?.[1] ?? ''
  const fields: Record<string, string> = {}
  for (const [input] of form.matchAll(/<input[^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(input)?.[1]
    const isUnchecked = input.includes('type="checkbox"') && !input.includes('checked')
    if (name && !isUnchecked) fields[name] = /value="([^"]*)"/.exec(input)?.[1] ?? ''
  }
  for (const [, name = '', text = ''] of form.matchAll(
    /<textarea[^>]*name="([^"]*)"[^>]*>(.*?)<\/textarea>/gs,
  )) {
    fields[name] = text
  }
  for (const [, name = '', options = ''] of form.matchAll(
    /<select[^>]*name="([^"]*)"[^>]*>(.*?)<\/select>/gs,
  )) {
    fields[name] = /<option[^>]*selected[^>]*value="([^"]*)"/.exec(options)?.[1] ?? ''
    fields[name] ||= /<option[^>]*value="([^"]*)"[^>]*selected/.exec(options)?.[1] ?? ''
  }
  return fields
}
