// What a reminder says besides what decides about it: the business as it is now, and the page of
// the invoice.
import { findBusiness } from '../../kernel/auth/business-store.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { findBrand } from '../../kernel/brand/brand-store.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { type LanguageCode, payerLanguage } from '../../payer-texts/payer-language.ts'
import type { Contact } from '../contacts/contact.ts'
import type { Document } from '../documents/document.ts'
import { dueMinor } from '../documents/document-acts.ts'
import { invoiceUrl } from '../invoice-pages/invoice-page.ts'
import { findInvoicePage } from '../invoice-pages/invoice-page-store.ts'
import { takesInvoicePayments } from '../service-money/service-settings.ts'
import { findServiceSettings } from '../service-money/service-settings-store.ts'
import type { Organisation } from '../settings/organisation.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import type { ReminderMail } from './reminder-mail.ts'

export async function gatherReminder(
  sql: Sql | Tx,
  publicUrl: string,
  { businessId, environment }: Tenant,
  document: Document,
  contact: Pick<Contact, 'name' | 'language'>,
): Promise<Omit<ReminderMail, 'today'>> {
  const tenant = { businessId, environment }
  const [{ organisation, takesPayments, ...sender }, page] = await Promise.all([
    gatherSender(sql, publicUrl, tenant),
    findInvoicePage(sql, tenant, document.id),
  ])
  const { publicId } = assertDefined(page, 'an issued invoice without its page')
  return {
    ...sender,
    language: languageOfContact(organisation, contact),
    contactName: contact.name,
    number: document.number ?? '',
    currency: document.currency,
    totalMinor: document.totalMinor,
    dueMinor: dueMinor(document),
    dueDate: document.dueDate,
    page: { url: invoiceUrl(publicUrl, tenant, publicId), takesPayments },
  }
}

// A mail to look at before there is an invoice.
export async function sampleReminder(
  sql: Sql,
  publicUrl: string,
  { businessId, environment }: Tenant,
  dueDate: string,
): Promise<Omit<ReminderMail, 'today'>> {
  const tenant = { businessId, environment }
  const { organisation, takesPayments, ...sender } = await gatherSender(sql, publicUrl, tenant)
  const amountMinor = 150_000n
  return {
    ...sender,
    language: languageOfContact(organisation, { language: null }),
    contactName: 'Sample Customer',
    number: `INV-${dueDate.slice(0, 4)}-00042`,
    currency: organisation.baseCurrency,
    totalMinor: amountMinor,
    dueMinor: amountMinor,
    dueDate,
    page: { url: `${publicUrl}/i/sample`, takesPayments },
  }
}

export async function gatherSender(sql: Sql | Tx, publicUrl: string, tenant: Tenant) {
  const [organisation, business, brand, settings] = await Promise.all([
    findOrganisation(sql, tenant),
    findBusiness(sql, tenant.businessId),
    findBrand(sql, tenant.businessId),
    findServiceSettings(sql, tenant),
  ])
  const { name } = assertDefined(business, 'an invoice without its business')
  return {
    publicUrl,
    tenant,
    brand,
    organisation,
    senderName: organisation.legalName ?? name,
    paymentDetails: organisation.paymentDetails,
    takesPayments: settings !== undefined && takesInvoicePayments(settings),
  }
}

// The contact's own, or that of the business; English where its language has no texts.
export function languageOfContact(
  { locale }: Pick<Organisation, 'locale'>,
  { language }: Pick<Contact, 'language'>,
) {
  const own: LanguageCode = locale.startsWith('fr') ? 'fr' : 'en'
  const code = language ?? own
  return payerLanguage(code, locale.startsWith(code) ? locale : undefined)
}
