// What the audit log says, in words that people use.
import type { NamedAct } from '../../kernel/auth/name-actors.ts'

const titles: Readonly<Record<string, string>> = {
  'api_key.create': 'API key created',
  'allocation.make': 'Payment assigned to a document',
  'allocation.remove': 'Assignment of a payment removed',
  'api_key.revoke': 'API key revoked',
  'api_key.rotate': 'API key replaced',
  'api_key.set_expiry': 'Expiry of an API key changed',
  'approval.approve': 'Request approved',
  'approval.expire': 'Approval expired',
  'approval.reject': 'Request rejected',
  'approval.request': 'Held for approval',
  'approval.void': 'Approval void',
  'approval.withdraw': 'Request withdrawn',
  'approval_threshold.set': 'Approval threshold changed',
  'brand.remove_logo': 'Logo removed',
  'brand.set': 'Branding changed',
  'brand.set_logo': 'Logo changed',
  'books.import': 'Books imported',
  'books.realise': 'Gain or loss of a currency booked',
  'books.revalue': 'Foreign balances revalued',
  'business.create': 'Business created',
  'business.set_kyc_status': 'Verification decided',
  'charge.restore': 'Charge restored',
  'chargeback.contest': 'Dispute answered at the provider',
  'chargeback.lose': 'Dispute lost',
  'chargeback.note': 'Evidence of a dispute noted',
  'chargeback.open': 'Payment disputed',
  'chargeback.win': 'Dispute won',
  'discrepancy.resolve': 'Discrepancy resolved',
  'document_file.keep': 'PDF stored',
  'event.make_up': 'Sample event made',
  'idempotency_key.differ': 'Idempotency key used for another request',
  'invitation.create': 'Person invited',
  'invitation.withdraw': 'Invitation withdrawn',
  'import.start': 'File uploaded for an import',
  'import.check': 'File for an import checked',
  'import.confirm': 'Import confirmed',
  'import.stop': 'Import stopped at a row',
  'import.undo': 'Undo of an import requested',
  'import.undone': 'Import undone',
  'import.undo_refused': 'Undo of an import refused',
  'contact.delete': 'Contact deleted with its import',
  'item.delete': 'Item deleted with its import',
  'account.delete': 'Account deleted with its import',
  'journal.post': 'Manual journal posted',
  'journal.reverse': 'Manual journal reversed',
  'mail.retry': 'Mail sent again',
  'membership.change_role': 'Role changed',
  'membership.create': 'Person added to the team',
  'membership.delete': 'Person removed from the team',
  'notifications.set': 'Notifications chosen',
  'payment.cancel': 'Payment cancelled',
  'payment.create': 'Payment recorded',
  'payment.fail': 'Payment failed',
  'payment.succeed': 'Paid',
  'offer.link_invoice': 'Invoice linked to a payment page',
  'opening.post': 'Opening balances posted',
  'organisation.lock': 'Lock date of the books changed',
  'payment_link.change_item': 'Item of a payment link changed',
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
  'person.end_guessing_session': 'Signed out after too many wrong codes',
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
  'provider.separate': 'Money of the simulator set apart',
  'qr_code.create': 'QR code created',
  'recurring.charge_card': 'Recurring invoice charged to a saved card from now on',
  'recurring.create': 'Recurring schedule created',
  'recurring.discard': 'Recurring journal discarded',
  'recurring.edit': 'Recurring schedule changed',
  'recurring.end': 'Recurring schedule ended',
  'recurring.fail': 'Recurring document could not be made',
  'recurring.leave': 'Recurring document left for a person',
  'recurring.leave_uncharged': 'Recurring invoice not charged to the saved card',
  'recurring.make': 'Recurring document made',
  'recurring.pause': 'Recurring schedule paused',
  'recurring.resume': 'Recurring schedule resumed',
  'recurring.retry': 'Recurring document tried again',
  'recurring.skip': 'Period of a recurring schedule skipped',
  'recurring.stop_card': 'Recurring invoice no longer charged to a saved card',
  'refund.create': 'Refund made',
  'refund.decide': 'Refund decided by hand',
  'refund_keys.set': 'Refunds by API keys allowed or forbidden',
  'service_money.book': 'Payment copied to the books',
  'settlement_account.remove': 'Bank account removed',
  'settlement_account.set': 'Bank account changed',
  'split_recipient.create': 'Recipient added',
  'subscription.cancel_later': 'Subscription ends with its period',
  'subscription.charge_by_schedule': 'Subscription charged by a recurring invoice from now on',
  'subscription.create': 'Subscriber added',
  'subscription.fall_due': 'Renewal failed, tried again later',
  'verification.start': 'Verification started',
  'wallet.return': 'Money taken from the wallet',
}

// `tax_code.update` → `Tax code changed`
export function actTitle({ action }: Pick<NamedAct, 'action'>): string {
  const [noun = '', verb = ''] = action.split('.')
  const [first = '', ...rest] = verb.split('_')
  const title = [nouns[noun] ?? noun.replaceAll('_', ' '), doneForm(first), ...rest].join(' ')
  return titles[action] ?? title.charAt(0).toUpperCase() + title.slice(1)
}

const nouns: Readonly<Record<string, string>> = {
  api_key: 'API key',
  books: 'books',
  opening: 'opening balances',
  organisation: 'settings of the books',
  qr_code: 'QR code',
  service_money: 'payment in the books',
  split_recipient: 'recipient',
  webhook: 'webhook endpoint',
}

const irregular: Readonly<Record<string, string>> = {
  begin: 'begun',
  keep: 'kept',
  lose: 'lost',
  make: 'made',
  pay: 'paid',
  put: 'put',
  send: 'sent',
  set: 'changed',
  submit: 'submitted',
  take: 'taken',
  update: 'changed',
  win: 'won',
  withdraw: 'withdrawn',
  write: 'written',
}

// `issue` → `issued`, `apply` → `applied`
function doneForm(verb: string): string {
  if (irregular[verb]) return irregular[verb]
  if (verb.endsWith('e')) return `${verb}d`
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ied` : `${verb}ed`
}

type NamedActor = Pick<NamedAct, 'actorKind' | 'actorId' | 'actorName'>

export function actorText({ actorKind, actorId, actorName }: NamedActor): string {
  if (actorKind === 'system') {
    return actorId.startsWith('cli ') ? 'The operator of the server' : 'Tillbook'
  }
  if (actorKind === 'key') return `API key ${actorName ?? 'that is gone'}`
  return actorName ?? 'A person who has left'
}
