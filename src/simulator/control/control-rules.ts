// Adds and deletes misbehaviour rules.
import { Fault } from '../../kernel/basics/fault.ts'
import { isCurrency } from '../../kernel/money/currency.ts'
import { parseDecimal, zeroDecimal } from '../../kernel/money/decimal.ts'
import { isLess } from '../decimals.ts'
import type { Endpoint } from '../endpoint.ts'
import { operations } from '../endpoints.ts'
import {
  type Fields,
  idOf,
  optionalAmount,
  optionalText,
  refuse,
  requiredText,
  wholeNumber,
} from '../fields.ts'
import { refundStatuses } from '../refunds/refund.ts'
import { checkRule, type Parameters, type Rule } from '../rules/rule.ts'
import { deleteRules, insertRule, listRules } from '../rules/rule-store.ts'

export const addRule: Endpoint = {
  method: 'POST',
  path: '/rules',
  async handle({ database, clock }, { tenant }, { body }) {
    const operation = requiredText(body, 'operation')
    const effect = requiredText(body, 'effect')
    checkRule(operation, effect, operations)
    const reference = optionalText(body, 'reference')
    const rule = {
      operation,
      effect,
      parameters: readParameters(body),
      amount: optionalAmount(body) ?? null,
      referenceLike: reference === undefined ? null : likePattern(reference),
      remaining: 'count' in body ? wholeNumber(body, 'count', 1, [1, 1_000_000]) : null,
      createdAt: clock.now(),
    }
    const id = await insertRule(database.sql, tenant, rule)
    return { status: 201, body: present({ ...rule, id, used: 0 }) }
  },
}

export const showRules: Endpoint = {
  method: 'GET',
  path: '/rules',
  async handle({ database }, { tenant }) {
    const rules = await listRules(database.sql, tenant)
    return { status: 200, body: { rules: rules.map(present) } }
  },
}

export const removeRules: Endpoint = {
  method: 'DELETE',
  path: '/rules',
  async handle({ database }, { tenant }) {
    return { status: 200, body: { removed: await deleteRules(database.sql, tenant, undefined) } }
  },
}

export const removeRule: Endpoint = {
  method: 'DELETE',
  path: '/rules/:id',
  async handle({ database }, { tenant }, { params }) {
    const removed = await deleteRules(database.sql, tenant, idOf(params.id) ?? 0n)
    if (removed === 0) throw new Fault('not_found', 'There is no such rule')
    return { status: 200, body: { removed } }
  },
}

const hourMs = 3_600_000

// `difference` is how much more or less is paid. `amount` is the amount that the rule matches.
function readParameters(body: Fields): Parameters {
  const difference = optionalText(body, 'difference')
  if (difference !== undefined) checkDifference(difference)
  const currency = optionalText(body, 'currency')
  if (currency !== undefined && !isCurrency(currency)) throw refuse('currency is not supported')
  const reason = optionalText(body, 'reason')
  const states = readStates(body)
  return {
    ...whole(body, 'ms', 'ms', [0, hourMs]),
    ...whole(body, 'status', 'status', [400, 599]),
    ...whole(body, 'copies', 'copies', [1, 100]),
    ...whole(body, 'after_ms', 'afterMs', [0, 24 * hourMs]),
    ...(difference !== undefined && { amount: difference }),
    ...(currency !== undefined && { currency }),
    ...(reason !== undefined && { reason }),
    ...(states && { states }),
  }
}

function whole(
  body: Fields,
  name: string,
  parameter: keyof Parameters,
  range: readonly [number, number],
): Parameters {
  return name in body ? { [parameter]: wholeNumber(body, name, 0, range) } : {}
}

function checkDifference(text: string): void {
  const value = parseDecimal(text)
  if (!value || value.scale > 6 || !isLess(zeroDecimal, value))
    throw refuse('difference is invalid')
}

function readStates(body: Fields): string[] | undefined {
  if (!('states' in body)) return undefined
  const known: readonly unknown[] = refundStatuses
  const { states } = body
  if (Array.isArray(states) && states.length > 0 && states.every((one) => known.includes(one))) {
    return states
  }
  throw refuse(`states must be some of ${refundStatuses.join(', ')}`)
}

// A star matches anything; everything else is literal.
function likePattern(reference: string): string {
  return reference.replaceAll(/[\\%_]/g, '\\$&').replaceAll('*', '%')
}

function present(rule: Rule) {
  const { id, operation, effect, parameters, amount, referenceLike, remaining, used } = rule
  return {
    id,
    operation,
    effect,
    parameters,
    amount,
    reference_like: referenceLike,
    remaining,
    used,
  }
}
