// better-auth's endpoints over HTTP, for programs that sign in. It has several dozen; those that
// are not listed here do not exist, also when a new version brings more.
import { assert } from '../basics/assert.ts'
import { notFound } from '../basics/fault.ts'
import { type Auth, addressHeader, authBasePath } from './people-auth.ts'
import type { Session } from './person.ts'
import { assertSameOrigin } from './sign-in-origin.ts'

const endpoints = new Set([
  'POST /sign-in/email',
  'POST /two-factor/verify-totp',
  'POST /two-factor/verify-backup-code',
  'POST /sign-out',
  'GET /get-session',
])

export type HandlerParts = {
  auth: Auth
  publicUrl: string
  findSession(headers: Headers): Promise<Session | undefined>
}

export async function handleAuthRequest(
  parts: HandlerParts,
  request: Request,
  address: string,
): Promise<Response> {
  const path = new URL(request.url).pathname.slice(authBasePath.length)
  if (!endpoints.has(`${request.method} ${path}`)) throw notFound('page')
  if (request.method !== 'GET') assertSameOrigin(request.headers, parts.publicUrl)
  // Ends a session that was idle for too long, which better-auth knows nothing about.
  await parts.findSession(request.headers)
  const headers = new Headers(request.headers)
  headers.set(addressHeader, address)
  const response = await parts.auth.handler(new Request(request, { headers }))
  assert(response.status < 500, `better-auth answered ${response.status} to ${path}`)
  return response
}
