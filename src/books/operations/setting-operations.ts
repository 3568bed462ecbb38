// How the books are kept, and what documents are made of.
import { accountChanges, accountInput } from '../accounts/account.ts'
import { createAccount } from '../accounts/create-account.ts'
import { updateAccount } from '../accounts/update-account.ts'
import { contactChanges, personContactInput } from '../contacts/contact.ts'
import { enterContact } from '../contacts/create-contact.ts'
import { updateContact } from '../contacts/update-contact.ts'
import { exchangeRateInput, setExchangeRate } from '../currencies/set-exchange-rate.ts'
import { approvalLimitInput, setApprovalLimit } from '../documents/set-approval-limit.ts'
import { createItem } from '../items/create-item.ts'
import { itemChanges, itemInput } from '../items/item.ts'
import { updateItem } from '../items/update-item.ts'
import { lockDatesInput, setLockDates } from '../settings/set-lock-dates.ts'
import { numberPatternInput, setNumberPattern } from '../settings/set-number-pattern.ts'
import { organisationChanges, updateOrganisation } from '../settings/update-organisation.ts'
import { createTaxCode } from '../taxes/create-tax-code.ts'
import { taxCodeChanges, taxCodeInput } from '../taxes/tax-code.ts'
import { updateTaxCode } from '../taxes/update-tax-code.ts'
import { type BooksOperation, defineOperation, defineOperationOn } from './operation.ts'

export const settingOperations = {
  'update-organisation': defineOperation(
    'Change how the books are kept',
    organisationChanges,
    updateOrganisation,
  ),
  'set-lock-dates': defineOperation('Lock the books up to a day', lockDatesInput, setLockDates),
  'set-number-pattern': defineOperation(
    'Change how documents of a kind are numbered',
    numberPatternInput,
    setNumberPattern,
  ),
  'create-account': defineOperation('Add an account to the chart', accountInput, createAccount),
  'update-account': defineOperationOn(
    'Rename an account, or make it inactive',
    accountChanges,
    updateAccount,
  ),
  'create-tax-code': defineOperation('Add a tax code', taxCodeInput, createTaxCode),
  'update-tax-code': defineOperationOn(
    'Rename a tax code, or make it inactive',
    taxCodeChanges,
    updateTaxCode,
  ),
  'set-exchange-rate': defineOperation(
    'Say what a currency is worth from a day on',
    exchangeRateInput,
    setExchangeRate,
  ),
  'create-contact': defineOperation('Add a customer or supplier', personContactInput, enterContact),
  'update-contact': defineOperationOn('Change a contact', contactChanges, updateContact),
  'create-item': defineOperation('Add an item', itemInput, createItem),
  'update-item': defineOperationOn('Change an item', itemChanges, updateItem),
  'set-approval-limit': defineOperation(
    'Say up to what amount somebody approves',
    approvalLimitInput,
    setApprovalLimit,
  ),
} as const satisfies Readonly<Record<string, BooksOperation>>
