// Every page of the settings of the books.
import type { AppRoute } from '../shell/define-page.ts'
import { booksSettingsForms } from './books-settings-forms.tsx'
import { currencyPages } from './currency-pages.tsx'
import { rateForms } from './rate-forms.tsx'
import { taxPages } from './tax-pages.tsx'

export const booksSettingsRoutes: readonly AppRoute[] = [
  ...booksSettingsForms,
  ...taxPages,
  ...currencyPages,
  ...rateForms,
]
