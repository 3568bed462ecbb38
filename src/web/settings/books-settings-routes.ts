// Every page of the settings of the books.
import type { AccessOperations } from '../../kernel/access/access-operations.ts'
import { accountGridForm } from '../accounts/account-grid-form.tsx'
import type { AppRoute } from '../shell/define-page.ts'
import { approvalLimitPages } from './approval-limit-pages.tsx'
import { booksSettingsForms } from './books-settings-forms.tsx'
import { currencyPages } from './currency-pages.tsx'
import { defaultAccountsForm } from './default-accounts-form.tsx'
import { monthlyStatementPages } from './monthly-statement-pages.tsx'
import { numberPages } from './number-pages.tsx'
import { rateForms } from './rate-forms.tsx'
import { reminderPages } from './reminder-pages.tsx'
import { serviceMoneyPages } from './service-money-pages.tsx'
import { taxPages } from './tax-pages.tsx'

export const booksSettingsRoutes = (access: AccessOperations): AppRoute[] => [
  ...booksSettingsForms,
  ...accountGridForm,
  ...defaultAccountsForm,
  ...numberPages,
  ...approvalLimitPages(access),
  ...reminderPages,
  ...monthlyStatementPages,
  ...serviceMoneyPages,
  ...taxPages,
  ...currencyPages,
  ...rateForms,
]
