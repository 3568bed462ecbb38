// A customer or supplier.
import { z } from 'zod'
import {
  currencyCode,
  line,
  oneOf,
  optionalEmailAddress,
  optionalLine,
  optionalText,
  timestamp,
  uuid,
} from '../../kernel/operations/schemas.ts'
import { type LanguageCode, languageCodes } from '../../payer-texts/payer-language.ts'
import { isTimeZone } from '../settings/organisation.ts'

// Ten years. The database has the same limit.
const paymentTermsDaysMax = 3650

export type Contact = {
  readonly id: string
  readonly name: string
  readonly isCustomer: boolean
  readonly isSupplier: boolean
  readonly email: string | null
  readonly phone: string | null
  readonly taxNumber: string | null
  readonly currency: string | null
  readonly paymentTermsDays: number
  readonly address: string | null
  // For mails to it; null for those of the business.
  readonly timeZone: string | null
  readonly language: LanguageCode | null
  // For lines that have none, and whose items have none.
  readonly salesAccountId: string | null
  readonly purchaseAccountId: string | null
  readonly salesTaxCodeId: string | null
  readonly purchaseTaxCodeId: string | null
  readonly active: boolean
  // The contact that it stands for since both were merged.
  readonly mergedInto: string | null
  readonly createdAt: Date
}

// What a contact can take over from one that is merged into it.
export const mergeableFields = [
  ...(['name', 'email', 'phone', 'taxNumber', 'currency', 'paymentTermsDays'] as const),
  ...(['address', 'timeZone', 'language', 'salesAccountId', 'purchaseAccountId'] as const),
  ...(['salesTaxCodeId', 'purchaseTaxCodeId'] as const),
] as const
export type MergeableField = (typeof mergeableFields)[number]

const nameMax = 160
const phoneMax = 50
const taxNumberMax = 50
const addressMax = 500

// The fields that a key can send, in the published interface.
export const contactBody = z.strictObject({
  name: line(nameMax),
  email: optionalEmailAddress().optional(),
  phone: optionalLine(phoneMax).optional(),
  tax_number: optionalLine(taxNumberMax).optional(),
  is_customer: z.boolean().default(true),
  is_supplier: z.boolean().default(false),
})

const contactFields = z.strictObject({
  name: line(nameMax),
  isCustomer: z.boolean(),
  isSupplier: z.boolean(),
  email: optionalEmailAddress().transform(orNull).nullable(),
  phone: optionalLine(phoneMax).transform(orNull).nullable(),
  taxNumber: optionalLine(taxNumberMax).transform(orNull).nullable(),
  currency: currencyCode().nullable(),
  paymentTermsDays: z.int().min(0).max(paymentTermsDaysMax),
  address: optionalText(addressMax).transform(orNull).nullable(),
  timeZone: z
    .string()
    .refine(isTimeZone, { error: 'Must be a time zone such as Europe/Berlin or UTC.' })
    .nullable(),
  language: oneOf(languageCodes).nullable(),
  salesAccountId: uuid().nullable(),
  purchaseAccountId: uuid().nullable(),
  salesTaxCodeId: uuid().nullable(),
  purchaseTaxCodeId: uuid().nullable(),
})

export const contactInput = contactFields.partial().required({ name: true })

export const contactChanges = contactFields.extend({ active: z.boolean() }).partial()

// An empty form field means none.
function orNull(text: string): string | null {
  return text || null
}

export const contactSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  is_customer: z.boolean(),
  is_supplier: z.boolean(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  tax_number: z.string().nullable(),
  currency: z
    .string()
    .nullable()
    .meta({ description: 'ISO 4217 code; null means the base currency.' }),
  payment_terms_days: z.int().min(0).max(paymentTermsDaysMax),
  active: z.boolean().meta({ description: 'False for a merged contact.' }),
  merged_into: z.uuid().optional().meta({
    description: 'Only of a merged contact: the one that stands for it and has its documents too.',
  }),
  created_at: timestamp(),
})

export function presentContact(contact: Contact) {
  return {
    id: contact.id,
    name: contact.name,
    is_customer: contact.isCustomer,
    is_supplier: contact.isSupplier,
    email: contact.email,
    phone: contact.phone,
    tax_number: contact.taxNumber,
    currency: contact.currency,
    payment_terms_days: contact.paymentTermsDays,
    active: contact.active && contact.mergedInto === null,
    ...(contact.mergedInto !== null && { merged_into: contact.mergedInto }),
    created_at: contact.createdAt,
  }
}

export function contactEventData(contact: Contact) {
  return {
    id: contact.id,
    name: contact.name,
    email: contact.email,
    is_customer: contact.isCustomer,
    is_supplier: contact.isSupplier,
    currency: contact.currency,
  }
}
