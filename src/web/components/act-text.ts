// What the audit log says, in words that people use.
import type { NamedAct } from '../../kernel/auth/name-actors.ts'

const titles: Readonly<Record<string, string>> = {
  'api_key.create': 'API key created',
  'api_key.revoke': 'API key revoked',
  'api_key.set_expiry': 'Expiry of an API key changed',
  'approval.expire': 'Approval expired',
  'approval.request': 'Held for approval',
  'approval.void': 'Approval void',
  'approval.withdraw': 'Request withdrawn',
  'approval_threshold.set': 'Approval threshold changed',
  'brand.remove_logo': 'Logo removed',
  'brand.set': 'Branding changed',
  'brand.set_logo': 'Logo changed',
  'charge.restore': 'Charge restored',
  'chargeback.contest': 'Dispute answered at the provider',
  'chargeback.lose': 'Dispute lost',
  'chargeback.note': 'Evidence of a dispute noted',
  'chargeback.open': 'Payment disputed',
  'chargeback.win': 'Dispute won',
  'invitation.create': 'Person invited',
  'invitation.withdraw': 'Invitation withdrawn',
  'membership.change_role': 'Role changed',
  'membership.create': 'Person added to the team',
  'membership.delete': 'Person removed from the team',
  'notifications.set': 'Notifications chosen',
  'payment.cancel': 'Payment cancelled',
  'payment.create': 'Payment recorded',
  'payment.fail': 'Payment failed',
  'payment.succeed': 'Paid',
  'payment_link.create': 'Payment link created',
  'payout.cancel': 'Payout cancelled',
  'payout.create': 'Payout requested',
  'payout.submit': 'Payout sent',
  'person.accept_invitation': 'Invitation accepted',
  'person.add_passkey': 'Passkey added',
  'person.remove_passkey': 'Passkey removed',
  'person.rename_passkey': 'Passkey renamed',
  'person.change_email': 'E-mail address changed',
  'person.change_name': 'Name changed',
  'person.change_password': 'Password changed',
  'person.end_own_sessions': 'Own sessions ended',
  'person.end_sessions': 'Sessions of a member ended',
  'person.renew_backup_codes': 'New backup codes made',
  'person.replace_second_factor': 'Authenticator app replaced',
  'person.request_email_change': 'Change of e-mail address requested',
  'person.request_password_reset': 'New password requested by mail',
  'person.reset_own_password': 'New password chosen by mail',
  'person.reset_password': 'Password of a member reset',
  'person.reset_second_factor': 'Second factor of a member reset',
  'person.set_up_second_factor': 'Second factor set up',
  'plan.create': 'Plan created',
  'qr_code.create': 'QR code created',
  'refund.create': 'Refund made',
  'refund.decide': 'Refund decided by hand',
  'settlement_account.set': 'Bank account changed',
  'split_recipient.create': 'Recipient added',
  'subscription.create': 'Subscriber added',
  'wallet.return': 'Money taken from the wallet',
}

// `tax_code.update` → `Tax code update`
export function actTitle({ action }: Pick<NamedAct, 'action'>): string {
  const words = action.replaceAll(/[._]/g, ' ')
  return titles[action] ?? words.charAt(0).toUpperCase() + words.slice(1)
}

export function actorText({ actorKind, actorName, actorId }: NamedAct): string {
  if (actorKind === 'system') return `Tillbook (${actorId})`
  if (actorKind === 'key') return `API key ${actorName ?? 'that is gone'}`
  return actorName ?? 'A person who has left'
}
