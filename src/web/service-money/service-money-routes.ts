// Every page and form about money of the payment service in the books.
import type { AppRoute } from '../shell/define-page.ts'
import { assignForm } from './assign-form.tsx'
import { byHandForms } from './by-hand-forms.tsx'
import { linkInvoiceForms } from './link-invoice-forms.tsx'
import { serviceMoneyPages } from './service-money-page.tsx'
import { retryAction } from './waiting-card.tsx'

export const serviceMoneyRoutes: AppRoute[] = [
  ...serviceMoneyPages,
  ...assignForm,
  ...retryAction,
  ...byHandForms,
  ...linkInvoiceForms,
]
