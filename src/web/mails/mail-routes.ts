// Mails and notices: what was sent, and what people and payers want to get.
import { noticesPages } from '../notices/notices-page.tsx'
import { notificationsForm } from '../settings/notifications-form.tsx'
import { payerMailsForm } from '../settings/payer-mails-form.tsx'
import type { AppRoute } from '../shell/define-page.ts'
import { mailPages } from './mail-page.tsx'
import { mailsPages } from './mails-page.tsx'

export const mailRoutes: AppRoute[] = [
  ...mailsPages,
  ...mailPages,
  ...noticesPages,
  ...notificationsForm,
  ...payerMailsForm,
]
