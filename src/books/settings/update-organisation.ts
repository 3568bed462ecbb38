// Changes the settings of the books and the organisation's details on documents. The base currency
// can't change: every amount in the journal is in it.
import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { adminRoles } from '../../kernel/operations/permission.ts'
import { line, oneOf, optionalText, uuid } from '../../kernel/operations/schemas.ts'
import { requireAccounts } from '../accounts/require-accounts.ts'
import { defineOperation } from '../context.ts'
import { changedFields } from '../input/changed-fields.ts'
import { requireTaxCodes } from '../taxes/require-tax-codes.ts'
import { isTimeZone, type Locale, locales, type Organisation } from './organisation.ts'
import { lockOrganisation, updateOrganisation as update } from './organisation-store.ts'

const text = (max: number) =>
  optionalText(max)
    .transform((value) => value || null)
    .nullable()

const organisationChanges = z
  .strictObject({
    legalName: line(160).nullable(),
    address: text(500),
    taxNumber: line(50).nullable(),
    paymentDetails: text(1000),
    timeZone: z.string().refine(isTimeZone, {
      error: 'Must be a time zone such as Europe/Berlin or UTC.',
    }),
    locale: oneOf(Object.keys(locales) as [Locale, ...Locale[]]),
    fiscalYearStartMonth: z.int().min(1).max(12),
    taxRounding: oneOf(['line', 'document']),
    approvalsOn: z.boolean(),
    fourEyesOn: z.boolean(),
    defaultPaymentTermsDays: z.int().min(0).max(3650),
    defaultSalesAccountId: uuid().nullable(),
    defaultPurchaseAccountId: uuid().nullable(),
    defaultSalesTaxCodeId: uuid().nullable(),
    defaultPurchaseTaxCodeId: uuid().nullable(),
  })
  .partial()

export const updateOrganisation = defineOperation({
  name: 'update-organisation',
  summary: 'Change the settings of the books',
  kind: 'write',
  input: organisationChanges,
  scopes: [],
  roles: adminRoles,
  async run(context, actor, wanted): Promise<Organisation> {
    return context.database.transaction(async (tx) => {
      const organisation = await lockOrganisation(tx, actor)
      const changes = changedFields(organisation, wanted)
      if (Object.keys(changes).length === 0) {
        context.call.nothingChanged()
        return organisation
      }
      const { defaultSalesAccountId, defaultPurchaseAccountId } = changes
      const { defaultSalesTaxCodeId, defaultPurchaseTaxCodeId } = changes
      await requireAccounts(tx, actor, { defaultSalesAccountId, defaultPurchaseAccountId })
      await requireTaxCodes(tx, actor, { defaultSalesTaxCodeId, defaultPurchaseTaxCodeId })
      await update(tx, actor, changes)
      await recordAct(tx, context, actor, {
        action: 'organisation.update',
        objectKind: 'organisation',
        objectId: actor.businessId,
        detail: changes,
      })
      return { ...organisation, ...changes }
    })
  },
})
