// The links that are mailed to people, and forms that visitors send without a session.
import type { CallResult, World } from './world.ts'

export type SentMail = { readonly subject: string; readonly bodyText: string }

export async function mailsTo(world: World, address: string): Promise<SentMail[]> {
  return world.database.sql<SentMail[]>`
    select subject, body_text
    from kernel.mails
    where ${address} = any(recipients)
    order by created_at, id`
}

// The path of the link in a mail; `no link` if there is none.
export function linkIn(mail: SentMail | undefined): string {
  return /https?:\/\/[^/\s]+(\/\S+)/.exec(mail?.bodyText ?? '')?.[1] ?? 'no link'
}

export async function linkTo(world: World, address: string): Promise<string> {
  return linkIn((await mailsTo(world, address)).at(-1))
}

export function postForm(
  world: World,
  path: string,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<CallResult> {
  return world.call('POST', path, {
    rawBody: new URLSearchParams(fields).toString(),
    headers: {
      ...headers,
      accept: 'text/html',
      origin: world.context.publicUrl,
      'content-type': 'application/x-www-form-urlencoded',
    },
  })
}

// The cookies that an answer sets, as the next request sends them.
export function cookiesOf({ headers }: CallResult): Record<string, string> {
  const pairs = headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
  return { cookie: pairs.filter((pair) => !pair.endsWith('=')).join('; ') }
}
