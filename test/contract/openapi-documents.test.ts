// The OpenAPI documents: they change only on purpose, and describe everything that a generated
// client needs.
import { describe, expect, it } from 'vitest'
import { services } from '../../src/app/services.ts'
import { booksWebhooks } from '../../src/books/webhooks/webhook-profile.ts'
import { merchantEventTypes } from '../../src/merchant/webhooks/event-contracts.ts'
import { documents, operations } from '../support/openapi.ts'

const named = services.map(({ name }) => ({ name, document: documents.get(name) }))

describe.each(named)('the OpenAPI document of $name', ({ name, document }) => {
  // covers: `GET /openapi.json` returns a machine-readable OpenAPI 3.0
  // covers: destinationType: required, `service_account` or `provider_bank` (the machine-readable
  // covers: `code` is a stable identifier
  // covers: The machine-readable description is kept in step with the implementation
  it('is the one that was last agreed on', async () => {
    const text = `${JSON.stringify(document, null, 2)}\n`
    await expect(text).toMatchFileSnapshot(`__snapshots__/${name}.openapi.json`)
  })

  // covers: The version is in the path segment `/api/v1`
  it('is version 1.0.0 of OpenAPI 3.0', () => {
    expect(document?.openapi).toBe('3.0.3')
    expect(document?.info.version).toBe('1.0.0')
  })

  it('has only references that lead somewhere', () => {
    const broken = nodes(document)
      .filter(({ node }) => typeof node.$ref === 'string')
      .filter(({ node }) => resolve(document, String(node.$ref)) === undefined)
    expect(broken.map(({ path }) => path)).toEqual([])
  })

  it('names each operation once', () => {
    const ids = operations
      .filter(({ service }) => service.name === name)
      .map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z]+$/)
  })

  it('describes exactly the parameters that each path has', () => {
    for (const [path, methods] of Object.entries(document?.paths ?? {})) {
      const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map(([, parameter]) => parameter)
      for (const { parameters } of Object.values(methods)) {
        const described = parameters.filter((parameter) => parameter.in === 'path')
        expect(described.map((parameter) => parameter.name)).toEqual(inPath)
        expect(described.every(({ required }) => required)).toBe(true)
      }
    }
  })

  it('uses only tags, scopes and security that it declares', () => {
    const tags = new Set(document?.tags.map((tag) => tag.name))
    const scopes = new Set(services.find((service) => service.name === name)?.scopes)
    for (const { service, operation } of operations) {
      if (service.name !== name) continue
      expect(operation.tags.every((tag) => tags.has(tag))).toBe(true)
      expect(operation['x-scopes'].every((scope) => scopes.has(scope))).toBe(true)
      for (const requirement of operation.security ?? []) {
        for (const scheme of Object.keys(requirement)) {
          expect(resolve(document, `#/components/securitySchemes/${scheme}`)).toBeDefined()
        }
      }
    }
  })

  it('gives every answer of JSON a name, and lets clients expect more fields', () => {
    for (const { service, operation } of operations) {
      if (service.name !== name) continue
      for (const { content } of Object.values(operation.responses)) {
        const schema = content['application/json']?.schema
        if (schema) expect(schema.$ref).toMatch(/^#\/components\/schemas\/[A-Z]\w+$/)
      }
    }
    const closed = nodes(document?.components).filter(
      ({ node }) => node.additionalProperties === false,
    )
    expect(closed).toEqual([])
  })

  it('says of every property what it is', () => {
    const vague = nodes(document).filter(
      ({ path, node }) => isProperty(path) && !describing.some((keyword) => keyword in node),
    )
    expect(vague.map(({ path }) => path)).toEqual([])
  })

  it('says of every list what is in it', () => {
    const vague = nodes(document).filter(({ node }) => node.type === 'array' && !node.items)
    expect(vague.map(({ path }) => path)).toEqual([])
  })

  // covers: Amount units differ by field and are stated per field
  it('gives every amount its unit', () => {
    const silent = nodes(document).filter(
      ({ path, node }) =>
        isProperty(path) && /(^|_|[a-z])amount$/i.test(path.at(-1) ?? '') && !('x-unit' in node),
    )
    expect(silent.map(({ path }) => path)).toEqual([])
  })

  it('gives every operation a summary, an answer that succeeds, and the failures of every call', () => {
    for (const { service, operation } of operations) {
      if (service.name !== name) continue
      expect(operation.summary).not.toBe('')
      const statuses = Object.keys(operation.responses)
      expect(statuses.some((status) => status.startsWith('2'))).toBe(true)
      expect(statuses).toEqual(expect.arrayContaining(['429', '500', '503']))
      if (operation.security?.length !== 0) expect(statuses).toContain('401')
    }
  })
})

it.each([
  ['merchant', ['Payment', 'PaymentLink', 'QrCode', 'SplitRecipient', 'Payout', 'Settlement']],
  ['merchant', ['Account', 'WebhookEndpoint', 'WebhookDelivery', 'PaymentRefundedEvent']],
  ['books', ['Document', 'DocumentWithLines', 'Contact', 'Account', 'InvoicePaidEvent']],
])('the document of %s has the schemas %s', (service, names) => {
  const { schemas } = documents.get(service)?.components ?? {}
  expect(Object.keys(schemas ?? {})).toEqual(expect.arrayContaining(names))
})

it('a list of payments and a payment are described by one schema', () => {
  const document = documents.get('merchant')
  const payment = document?.paths['/payments/{id}']?.get?.responses[200]?.content
  expect(payment?.['application/json']?.schema).toEqual({ $ref: '#/components/schemas/Payment' })
  const page = resolve(document, '#/components/schemas/ListPaymentsResponse')
  expect(page).toMatchObject({
    properties: { data: { items: { $ref: '#/components/schemas/Payment' } } },
  })
})

// covers: `GET /reference` (no authentication) returns the status values
it('every event that a service sends is described', () => {
  const described = (service: string) =>
    Object.keys(documents.get(service)?.['x-webhooks'] ?? {}).toSorted()
  expect(described('merchant')).toEqual(merchantEventTypes.toSorted())
  const { eventTypes, testEventType } = booksWebhooks
  expect(described('books')).toEqual([...(eventTypes ?? []), testEventType].toSorted())
})

const describing = ['type', 'enum', 'oneOf', 'anyOf', 'allOf', '$ref']

type Node = { readonly [key: string]: unknown }

function nodes(value: unknown, path: string[] = []): { path: string[]; node: Node }[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([key, child]) => nodes(child, [...path, key]))
  return Array.isArray(value) ? inner : [{ path, node: value as Node }, ...inner]
}

// Below `properties`, the key is a name and what stands there a schema.
function isProperty(path: string[]): boolean {
  return path.at(-2) === 'properties' && path.at(-3) !== 'properties'
}

function resolve(document: unknown, reference: string): unknown {
  let found: unknown = document
  for (const key of reference.replace(/^#\//, '').split('/')) {
    found = (found as Record<string, unknown> | undefined)?.[key]
  }
  return found
}
