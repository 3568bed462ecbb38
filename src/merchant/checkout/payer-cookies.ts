// What the payer's browser keeps, for the page of one offer only. The form's token: going back and
// pressing Pay again finds the same payment. It is deleted when the payment ends, because paying
// again is then a new payment. What the payer typed: trying again asks for nothing twice. It is
// deleted when the payment has succeeded. It is not in the address of the page, which the payer may
// pass on.
import { z } from 'zod'
import type { PageRequest } from '../../kernel/web/page.ts'
import type { MerchantContext } from '../context.ts'
import { payerFieldNames } from '../payment-links/payer-fields.ts'
import type { Offer } from './offer.ts'
import type { TextOfField } from './typed-answers.ts'
import type { TypedQuantities } from './typed-order.ts'

const tokenCookie = 'checkout'
const typedCookie = 'payer'
const tokenBytes = 18
const tokenPattern = /^[\w-]{16,64}$/
const keptSeconds = 60 * 60

export type Typed = {
  readonly email: string
  readonly amount: string
  readonly quantities?: TypedQuantities | undefined
  readonly answers?: TextOfField | undefined
}

const answer = () => z.string().max(1000).optional()

const typedSchema = z.object({
  email: z.string().max(254),
  amount: z.string().max(40),
  quantities: z.record(z.string().max(40), z.string().max(10)).optional(),
  answers: z
    .object({ name: answer(), phone: answer(), address: answer(), note: answer() })
    .optional(),
})

export function newToken({ ids }: MerchantContext): string {
  return ids.randomBytes(tokenBytes).toString('base64url')
}

export function isToken(text: string): boolean {
  return tokenPattern.test(text)
}

export function knownToken(request: PageRequest): string | undefined {
  const token = cookieOf(request, tokenCookie)
  return token !== undefined && isToken(token) ? token : undefined
}

export function typedBefore(request: PageRequest): Typed | undefined {
  const kept = cookieOf(request, typedCookie)
  if (kept === undefined) return undefined
  try {
    return typedSchema.safeParse(JSON.parse(Buffer.from(kept, 'base64url').toString())).data
  } catch (error) {
    // Anybody can write a cookie.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

export function keepToken(context: MerchantContext, offer: Offer, token: string): string {
  return cookie(context, offer, tokenCookie, token)
}

export function keepTyped(context: MerchantContext, offer: Offer, typed: Typed): string {
  return cookie(context, offer, typedCookie, encoded(fitting(typed)))
}

// Browsers drop a cookie of more than 4096 bytes. Long answers in some scripts need more: then the
// payer has to type the last of them again.
const cookieBytesMax = 3600

function fitting(typed: Typed): Typed {
  const { answers = {}, ...rest } = typed
  let kept: TextOfField = {}
  for (const name of payerFieldNames) {
    const more = { ...kept, [name]: answers[name] }
    if (encoded({ ...rest, answers: more }).length <= cookieBytesMax) kept = more
  }
  return { ...rest, answers: kept }
}

function encoded(typed: Typed): string {
  return Buffer.from(JSON.stringify(typed)).toString('base64url')
}

export function forgetToken(offer: Offer): string {
  return forget(offer, tokenCookie)
}

export function forgetAll(offer: Offer): string[] {
  return [forget(offer, tokenCookie), forget(offer, typedCookie)]
}

function cookieOf({ headers }: PageRequest, wanted: string): string | undefined {
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim().split('='))
  return pairs.find(([name]) => name === wanted)?.[1]
}

function cookie(
  { publicUrl }: MerchantContext,
  { path }: Offer,
  name: string,
  value: string,
): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  return `${name}=${value}; Path=${path}; Max-Age=${keptSeconds}; HttpOnly; SameSite=Lax${secure}`
}

function forget({ path }: Offer, name: string): string {
  return `${name}=; Path=${path}; Max-Age=0; HttpOnly; SameSite=Lax`
}
