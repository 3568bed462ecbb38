// What the pages call the kinds and states of mails.
import type { Mail, MailKind, MailState } from '../../kernel/mail/mail.ts'
import type { Tone } from '../../kernel/web/components.tsx'
import type { Visit } from '../shell/visit.ts'

export const mailsPath = '/settings/mails'

export function mailHref(visit: Visit, id: string): string {
  return visit.href(`${mailsPath}/${id}`)
}

export const kindLabels: Readonly<Record<MailKind, string>> = {
  document: 'Document',
  quote: 'Quote',
  reminder: 'Reminder',
  statement: 'Statement',
  receipt: 'Receipt',
  money_back: 'Refund notice',
  subscription: 'Subscription',
  notice: 'Notice to your team',
  other: 'Other',
}

export const stateLabels: Readonly<Record<MailState, string>> = {
  queued: 'Waiting',
  sent: 'Sent',
  failed: 'Failed',
  kept: 'Kept',
}

export const stateTones: Readonly<Record<MailState, Tone>> = {
  queued: 'unsure',
  sent: 'good',
  failed: 'bad',
  kept: 'plain',
}

// Why it has not arrived; empty for a mail that was sent.
export function stateReason(mail: Mail, isSending: boolean): string {
  const { state, environment, problem, attempts, refused } = mail
  if (state === 'kept') {
    if (environment === 'test') return 'The sandbox sends no mails.'
    return isSending ? 'No mail server was set.' : 'No mail server is set.'
  }
  if (state === 'failed') {
    const who = refused.length > 0 ? `Refused for ${refused.join(', ')}: ` : ''
    return `${who}${problem ?? ''}`
  }
  if (state === 'queued' && problem !== null) {
    return `Tried ${attempts === 1 ? 'once' : `${attempts} times`}, and is tried again. ${problem}`
  }
  return ''
}
