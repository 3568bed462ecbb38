import type { Recipient } from '../../merchant/recipients/recipient.ts'

type Flags = Pick<Recipient, 'disabled' | 'verified' | 'subaccountId'>

export function recipientStatus({ disabled, verified, subaccountId }: Flags): string {
  if (disabled) return 'disabled'
  if (subaccountId === null) return 'pending'
  return verified ? 'verified' : 'unverified'
}
