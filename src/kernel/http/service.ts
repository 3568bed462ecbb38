// A service is a value: its name, the prefix of its keys, its routes, and the events it sends.
import type { z } from 'zod'
import type { KeyIssuer } from '../auth/issue-api-key.ts'
import type { Route } from './route.ts'

export type Tag = { readonly name: string; readonly description: string }

export type Service<Context> = KeyIssuer & {
  readonly title: string
  readonly description: string
  // The version of the interface, not of the program.
  readonly version: string
  readonly basePath: string
  // Whether an optional field of a body that is null counts as left out.
  readonly leavesOutNulls?: boolean
  readonly tags: readonly Tag[]
  readonly routes: readonly Route<Context>[]
  // The schemas of what routes answer with, by the names that generated clients give their types.
  readonly resources: Readonly<Record<string, z.ZodType>>
  readonly webhooks?: WebhookContract
}

// What a service sends to the endpoints of a business.
export type WebhookContract = {
  // How a receiver checks that a request is ours.
  readonly signature: string
  // By name, what each header says.
  readonly headers: Readonly<Record<string, string>>
  readonly events: readonly EventContract[]
}

export type EventContract = {
  readonly type: string
  // When it is sent.
  readonly summary: string
  readonly body: z.ZodType
}

export function defineService<Context>(service: Service<Context>): Service<Context> {
  const seen = new Set<string>()
  for (const route of service.routes) {
    const name = `${route.method} ${route.path}`
    if (seen.has(name)) throw new Error(`${service.name} defines ${name} twice`)
    seen.add(name)
    if (!service.tags.some((tag) => tag.name === route.tag)) {
      throw new Error(`${name} has the unknown tag ${route.tag}`)
    }
    const named = [...route.scopes, ...(route.bodyScopes ?? []).map(({ scope }) => scope)]
    for (const scope of named) {
      if (!service.scopes.includes(scope)) throw new Error(`${name} names unknown scope ${scope}`)
    }
  }
  return service
}
