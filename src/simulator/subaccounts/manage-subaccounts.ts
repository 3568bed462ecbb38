// Creates, lists, changes and deletes sub-accounts. There is no idempotency key, but a bank account
// has at most one sub-account, which prevents duplicates.
import { Fault } from '../../kernel/basics/fault.ts'
import { compare, type Decimal, parseDecimal, zeroDecimal } from '../../kernel/money/decimal.ts'
import { writeJson } from '../../kernel/money/exact-number.ts'
import { resolveBankAccount } from '../banks/resolve-account.ts'
import { isLess } from '../decimals.ts'
import { insertEffect } from '../effects/effect-store.ts'
import type { Endpoint } from '../endpoint.ts'
import { providerReference, success, successPage } from '../envelope.ts'
import { type Fields, idOf, optionalList, optionalText, refuse, requiredText } from '../fields.ts'
import { pageOf } from '../paging.ts'
import { presentSubaccount, type Subaccount } from './subaccount.ts'
import {
  findSubaccount,
  insertSubaccount,
  listSubaccounts,
  type NewSubaccount,
  updateSubaccount,
  updateSubaccountDeleted,
} from './subaccount-store.ts'

const duplicate = 'A subaccount with the account number and bank already exists'
const businessNameLengthMax = 100

export const createSubaccount: Endpoint = {
  method: 'POST',
  path: '/subaccounts',
  async handle(context, world, { body }) {
    const now = context.clock.now()
    const subaccount = readSubaccount(body, providerReference(context.ids, 'RS_'), now)
    const id = await context.database.transaction(async (tx) => {
      const inserted = await insertSubaccount(tx, world.tenant, subaccount)
      if (inserted === undefined) throw refuse(duplicate)
      await insertEffect(tx, world.tenant, {
        kind: 'subaccount',
        reference: effectReference(body, subaccount),
        subjectId: inserted,
        amount: null,
        currency: null,
        createdAt: now,
      })
      return inserted
    })
    const created = { ...subaccount, id, isChanged: false }
    return success('Subaccount created', presentSubaccount(created, world.accountId))
  },
}

export const listAllSubaccounts: Endpoint = {
  method: 'GET',
  path: '/subaccounts',
  async handle({ database }, world, { query }) {
    const paging = pageOf(query)
    const { total, subaccounts } = await listSubaccounts(
      database.sql,
      world.tenant,
      {
        accountBank: optionalText(query, 'account_bank'),
        accountNumber: optionalText(query, 'account_number'),
      },
      paging,
    )
    const data = subaccounts.map((entry) => presentSubaccount(entry, world.accountId))
    return successPage('Subaccounts fetched', { total, ...paging }, data)
  },
}

export const getSubaccount: Endpoint = {
  method: 'GET',
  path: '/subaccounts/:id',
  async handle({ database }, world, { params }) {
    const subaccount = await findSubaccount(database.sql, world.tenant, idOf(params.id) ?? 0n)
    if (!subaccount) throw missing()
    return success('Subaccount fetched', presentSubaccount(subaccount, world.accountId))
  },
}

export const changeSubaccount: Endpoint = {
  method: 'PUT',
  path: '/subaccounts/:id',
  async handle({ database }, world, { params, body }) {
    const changed = await database.transaction(async (tx) => {
      const subaccount = await findSubaccount(tx, world.tenant, idOf(params.id) ?? 0n)
      if (!subaccount) throw missing()
      const change = { ...withChanges(subaccount, body), isChanged: true }
      if (!(await updateSubaccount(tx, world.tenant, change))) throw refuse(duplicate)
      return change
    })
    return success('Subaccount updated', presentSubaccount(changed, world.accountId))
  },
}

export const deleteSubaccount: Endpoint = {
  method: 'DELETE',
  path: '/subaccounts/:id',
  async handle({ database, clock }, world, { params }) {
    const id = idOf(params.id) ?? 0n
    const isDeleted = await database.transaction((tx) =>
      updateSubaccountDeleted(tx, world.tenant, id, clock.now()),
    )
    if (!isDeleted) throw missing()
    return success('Subaccount deleted', null)
  },
}

function readSubaccount(body: Fields, subaccountId: string, createdAt: Date): NewSubaccount {
  const accountBank = requiredText(body, 'account_bank', 11)
  const accountNumber = requiredText(body, 'account_number', 20)
  if (accountBank.length < 3) throw refuse('account_bank must have at least 3 characters')
  const businessName = requiredText(body, 'business_name', businessNameLengthMax)
  const businessMobile = requiredText(body, 'business_mobile')
  const { accountName, bankName } = resolveBankAccount(accountBank, accountNumber)
  const splitType = splitTypeOf(body) ?? 'percentage'
  return {
    subaccountId,
    accountBank,
    accountNumber,
    fullName: accountName,
    bankName,
    businessName,
    businessEmail: optionalText(body, 'business_email') ?? null,
    businessMobile,
    businessContact: optionalText(body, 'business_contact') ?? null,
    businessContactMobile: optionalText(body, 'business_contact_mobile') ?? null,
    country: optionalText(body, 'country') ?? 'NG',
    meta: writeJson(optionalList(body, 'meta')),
    splitType,
    splitValue: splitValueOf(body, splitType) ?? zeroDecimal,
    createdAt,
  }
}

function withChanges(subaccount: Subaccount, body: Fields): Subaccount {
  const accountBank = optionalText(body, 'account_bank', 11) ?? subaccount.accountBank
  const accountNumber = optionalText(body, 'account_number', 20) ?? subaccount.accountNumber
  const { accountName, bankName } = resolveBankAccount(accountBank, accountNumber)
  const splitType = splitTypeOf(body) ?? subaccount.splitType
  return {
    ...subaccount,
    accountBank,
    accountNumber,
    fullName: accountName,
    bankName,
    businessName:
      optionalText(body, 'business_name', businessNameLengthMax) ?? subaccount.businessName,
    businessEmail: optionalText(body, 'business_email') ?? subaccount.businessEmail,
    splitType,
    splitValue: splitValueOf(body, splitType) ?? subaccount.splitValue,
  }
}

function splitTypeOf(body: Fields): Subaccount['splitType'] | undefined {
  const type = optionalText(body, 'split_type')
  if (type === undefined || type === 'percentage' || type === 'flat') return type
  throw refuse('split_type must be percentage or flat')
}

function splitValueOf(body: Fields, type: Subaccount['splitType']): Decimal | undefined {
  const text = optionalText(body, 'split_value')
  if (text === undefined) return undefined
  const value = parseDecimal(text)
  const isInvalid = !value || value.scale > 6 || isLess(value, zeroDecimal)
  if (isInvalid) throw refuse('split_value is invalid')
  if (type === 'percentage' && compare(value, one) > 0) {
    throw refuse('split_value must be between 0 and 1')
  }
  return value
}

const one = parseDecimal('1') ?? zeroDecimal

// The reference for rules: a meta entry named `reference`, else the bank account.
function effectReference(body: Fields, { accountBank, accountNumber }: NewSubaccount): string {
  const entry = optionalList(body, 'meta').find(({ meta_name }) => meta_name === 'reference')
  const named = entry && optionalText(entry, 'meta_value')
  return named ?? `${accountBank}:${accountNumber}`
}

function missing(): Fault {
  return new Fault('not_found', 'Subaccount not found')
}
