// What the people of a business are told about, by mail and in the application.
import type { Role } from '../auth/actor.ts'

// Always: they protect the business, so no one can switch them off.
const requiredKinds = ['approvals', 'bank_account', 'security'] as const
// Owners are mailed about these unless they choose otherwise; others if they want. The pages name
// them in the words of the services.
export const optionalKinds = [
  'transfers',
  'failures',
  'disputes',
  'discrepancies',
  'webhooks',
  'verification',
  'paid_online',
  'quotes',
  'recurring',
] as const

export const noticeKinds = [...requiredKinds, ...optionalKinds] as const
export type NoticeKind = (typeof noticeKinds)[number]
export type OptionalKind = (typeof optionalKinds)[number]

export type Notice = {
  readonly kind: Exclude<NoticeKind, 'security'>
  // Names the fact: it is mailed once.
  readonly fact: string
  readonly subject: string
  // What happened, given in lines of about 80 characters.
  readonly lines: readonly string[]
  // The page that shows it, below the business, such as `/settings`.
  readonly path: string
  // Only these roles; without them, everyone who wants mails of this kind.
  readonly roles?: readonly Role[]
  // The person who caused it and needs no mail about it.
  readonly exceptPersonId?: string | null
}

// As a person sees it in the application.
export type ShownNotice = {
  readonly id: string
  readonly kind: NoticeKind
  readonly subject: string
  readonly lines: string[]
  readonly path: string
  readonly createdAt: Date
  readonly readAt: Date | null
}

export function isOptionalKind(kind: NoticeKind): kind is OptionalKind {
  return optionalKinds.some((known) => known === kind)
}

// `mail`: to their address. `app`: behind the bell of the application.
export type NoticeWay = 'mail' | 'app'

// The bell disturbs no one, so it shows everything to everyone who works with it.
export function isOnByDefault(kind: NoticeKind, role: Role, way: NoticeWay): boolean {
  if (!isOptionalKind(kind)) return true
  return way === 'mail' ? role === 'owner' : role !== 'viewer'
}
