// A link that signs the owner of a demo business in, printed at the terminal so that a newcomer
// sees the application at once. It replaces password and code, so it is issued only where
// PUBLIC_URL is this machine, for a person who belongs to demo businesses alone. It works once, for
// ten minutes.
import { createHash } from 'node:crypto'
import type { BetterAuthPlugin } from 'better-auth'
import { createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { z } from 'zod'
import { assertDefined } from '../basics/assert.ts'
import { addSeconds } from '../basics/clock.ts'
import { isLoopbackUrl } from '../basics/loopback.ts'
import type { Context } from '../db/context.ts'
import type { KnownDevices } from './known-device.ts'
import type { Auth } from './people-auth.ts'
import { deleteSession } from './session-store.ts'
import { type Caller, headersFor } from './sign-in.ts'
import {
  deleteSignInLink,
  findDemoOwner,
  findIfOnlyInDemos,
  findSignInLink,
  insertSignInLink,
} from './sign-in-link-store.ts'

export const signInLinkPath = '/sign-in/demo'
export const signInLinkMinutes = 10

export type SignInLinks = {
  // For the owner of the oldest demo business; undefined if there is none, or no link is allowed.
  issue(): Promise<string | undefined>
  isValid(code: string): Promise<boolean>
  // The cookies of the new session; undefined if the link does not work any more.
  take(caller: Caller, code: string): Promise<{ setCookies: string[] } | undefined>
}

export function createSignInLinks(
  context: Context,
  { auth, devices, publicUrl }: { auth: Auth; devices: KnownDevices; publicUrl: string },
): SignInLinks {
  const { sql } = context.database
  return {
    async issue() {
      if (!isLoopbackUrl(publicUrl)) return undefined
      const personId = await findDemoOwner(sql)
      if (personId === undefined) return undefined
      const code = context.ids.randomBytes(24).toString('base64url')
      const createdAt = context.clock.now()
      await insertSignInLink(sql, {
        id: context.ids.uuid(),
        identifier: identifierOf(code),
        personId,
        expiresAt: addSeconds(createdAt, signInLinkMinutes * 60),
        createdAt,
      })
      return `${publicUrl}${signInLinkPath}?code=${code}`
    },
    async isValid(code) {
      return (await findSignInLink(sql, identifierOf(code), context.clock.now())) !== undefined
    },
    async take(caller, code) {
      const personId = await deleteSignInLink(sql, identifierOf(code), context.clock.now())
      // The person may have joined another business since the link was printed.
      const person = personId === undefined ? undefined : await findIfOnlyInDemos(sql, personId)
      if (personId === undefined || !person) return undefined
      const headers = headersFor(caller)
      const before = await auth.api.getSession({ headers })
      const request = { body: { personId }, headers, asResponse: true as const }
      const response = await auth.api.openSession(request)
      if (!response.ok) throw new Error(`signing in by link failed: ${response.status}`)
      // The browser forgets the old session now, so the server deletes it too.
      if (before) await deleteSession(sql, before.session.id)
      const cookies = response.headers.getSetCookie()
      return { setCookies: [...cookies, devices.cookieFor(person.email)] }
    },
  }
}

// The session counts as one with a second factor (people-hooks.ts): it must open what the owner of
// the demo may do.
export const openSessionPath = '/sign-in/link'

export const openSessionPlugin = {
  id: 'open-session',
  endpoints: {
    openSession: createAuthEndpoint(
      openSessionPath,
      {
        method: 'POST',
        body: z.object({ personId: z.uuid() }),
        metadata: { SERVER_ONLY: true },
      },
      async (endpoint) => {
        const { internalAdapter } = endpoint.context
        const found = await internalAdapter.findUserById(endpoint.body.personId)
        const user = assertDefined(found, 'a person vanished')
        const session = await internalAdapter.createSession(user.id)
        await setSessionCookie(endpoint, { session, user })
        return endpoint.json({ opened: true })
      },
    ),
  },
} satisfies BetterAuthPlugin

// A prefix keeps it apart from what better-auth stores in the same table.
function identifierOf(code: string): string {
  return `sign-in-link-${createHash('sha256').update(code).digest('hex')}`
}
