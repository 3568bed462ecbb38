// Sets how the business presents itself to payers. The logo has its own operation.
import { z } from 'zod'
import { defineOperation } from '../access/define-operation.ts'
import { inLive } from '../auth/actor.ts'
import { recordAct } from '../auth/audit-log.ts'
import { lockBusiness } from '../auth/business-store.ts'
import { adminRoles } from '../operations/permission.ts'
import { emailAddress } from '../operations/schemas.ts'
import { webAddress } from '../operations/web-address.ts'
import type { Brand } from './brand.ts'
import { colourPattern } from './brand-colour.ts'
import { findBrand, insertOrUpdateBrand } from './brand-store.ts'

const phonePattern = /^\+?[0-9][0-9 ()./-]{2,28}[0-9]$/

const brandInput = z.strictObject({
  colour: z
    .string()
    .transform((text) => text.trim().toLowerCase())
    .refine((text) => colourPattern.test(text), {
      error: 'Must be # and six digits or letters from a to f, such as #0b6e5b.',
    })
    .nullable(),
  contactEmail: emailAddress().nullable(),
  contactPhone: z
    .string()
    .transform((text) => text.trim())
    .refine((text) => phonePattern.test(text), {
      error: 'Must be a phone number such as +234 1 234 5678.',
    })
    .nullable(),
  websiteUrl: webAddress().nullable(),
  termsUrl: webAddress().nullable(),
  privacyUrl: webAddress().nullable(),
})

export const setBrand = defineOperation({
  name: 'set-brand',
  summary: 'Change the colour, contact and links that payers see',
  kind: 'write',
  input: brandInput,
  scopes: [],
  roles: adminRoles,
  async run(context, caller, wanted): Promise<Brand> {
    const actor = inLive(caller)
    const { businessId } = actor
    return context.database.transaction(async (tx) => {
      await lockBusiness(tx, businessId)
      const { logo, ...brand } = await findBrand(tx, businessId)
      const fields = Object.keys(wanted) as (keyof typeof wanted)[]
      const changed = fields.filter((field) => wanted[field] !== brand[field])
      if (changed.length === 0) {
        context.call.nothingChanged()
        return { ...brand, logo }
      }
      await insertOrUpdateBrand(tx, businessId, wanted, context.clock.now())
      await recordAct(tx, context, actor, {
        action: 'brand.set',
        objectKind: 'business',
        objectId: businessId,
        detail: Object.fromEntries(changed.map((field) => [field, wanted[field]])),
      })
      return { ...wanted, logo }
    })
  },
})
