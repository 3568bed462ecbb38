// A customer or supplier.
import { z } from 'zod'
import { timestamp } from '../../kernel/http/schemas.ts'

// Ten years; the database holds to it too.
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
  readonly active: boolean
  readonly createdAt: Date
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
    .meta({ description: 'ISO 4217 code; null stands for the base currency.' }),
  payment_terms_days: z.int().min(0).max(paymentTermsDaysMax),
  active: z.boolean(),
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
    active: contact.active,
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
