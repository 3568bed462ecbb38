// Every page and form of leads.
import type { AppRoute } from '../shell/define-page.ts'
import { leadForms } from './lead-forms.tsx'
import { leadPages } from './lead-page.tsx'
import { leadsPages } from './leads-page.tsx'

export const leadRoutes: AppRoute[] = [...leadsPages, ...leadForms, ...leadPages]
