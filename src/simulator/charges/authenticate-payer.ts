// The payer's bank checks a PIN, a one-time code, a 3-D Secure answer or an address.
import { testOtp, testPin } from './cards.ts'
import type { Awaits } from './charge.ts'

export type Verdict =
  | { readonly kind: 'next'; readonly awaits: Awaits }
  | { readonly kind: 'done' }
  | { readonly kind: 'wrong'; readonly message: string; readonly reason: string }
  | { readonly kind: 'declined'; readonly reason: string }

export function authenticatePayer(
  kind: Awaits,
  value: string,
  declines: string | undefined,
): Verdict {
  if (kind === 'pin') {
    if (declines !== undefined) return { kind: 'declined', reason: declines }
    if (value === testPin) return { kind: 'next', awaits: 'otp' }
    return { kind: 'wrong', message: 'This PIN is wrong. Try again.', reason: 'Incorrect PIN' }
  }
  if (kind === 'otp') {
    if (value === testOtp) return { kind: 'done' }
    return { kind: 'wrong', message: 'This code is wrong. Try again.', reason: 'Invalid OTP' }
  }
  if (kind === '3ds') {
    if (value === 'approve') return { kind: 'done' }
    return { kind: 'declined', reason: '3-D Secure authentication failed' }
  }
  if (value.trim() !== '') return { kind: 'done' }
  const message = 'Enter a billing address. Any address works here.'
  return { kind: 'wrong', message, reason: 'Address verification failed' }
}
