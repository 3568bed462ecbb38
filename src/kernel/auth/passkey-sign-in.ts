// Signing in with a passkey, and proving with it again who one is. Both open what a password and a
// code open together.

import type { KnownDevices } from './known-device.ts'
import { listPasskeys } from './passkey-store.ts'
import { hasPasskeys, type PasskeyContext, requestPasskey, verifyPasskey } from './passkeys.ts'
import type { People } from './people.ts'
import type { Auth } from './people-auth.ts'
import { findPerson } from './person-store.ts'
import { deleteSession, updateSessionProven } from './session-store.ts'
import { headersFor } from './sign-in.ts'

export function passkeySignIn(
  context: PasskeyContext,
  auth: Auth,
  devices: KnownDevices,
): Pick<People, 'requestPasskey' | 'signInWithPasskey' | 'proveByPasskey'> {
  const { sql } = context.database
  return {
    async requestPasskey(session) {
      if (!hasPasskeys(context.publicUrl)) return undefined
      if (!session) return requestPasskey(context)
      const own = await listPasskeys(sql, session.personId)
      return own.length > 0 ? requestPasskey(context, session.personId) : undefined
    },
    async signInWithPasskey(caller, answer) {
      const verified = await verifyPasskey(context, answer)
      const person = verified && (await findPerson(sql, verified.personId))
      if (!verified || !person) return undefined
      const headers = headersFor(caller)
      const before = await auth.api.getSession({ headers })
      const response = await auth.api.openSession({ body: verified, headers, asResponse: true })
      if (!response.ok) throw new Error(`signing in by passkey failed: ${response.status}`)
      // The browser forgets the old session now, so the server deletes it too.
      if (before) await deleteSession(sql, before.session.id)
      return {
        setCookies: [...response.headers.getSetCookie(), devices.cookieFor(person.email)],
      }
    },
    async proveByPasskey({ personId, sessionId }, answer) {
      if (!(await verifyPasskey(context, answer, personId))) return refusedPasskey
      await updateSessionProven(sql, sessionId, context.clock.now())
      return undefined
    },
  }
}

export const refusedPasskey = 'This passkey was not accepted. Try again, or use another way.'
