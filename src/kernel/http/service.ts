// A service is a value: what it is called, whose keys it takes, and its routes.
import type { KeyIssuer } from '../auth/manage-api-keys.ts'
import type { Secrets } from '../auth/secrets.ts'
import type { Context } from '../db/context.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { AttemptObserver } from '../webhooks/attempt-delivery.ts'
import type { Egress } from '../webhooks/egress.ts'
import type { RepeatObserver } from './idempotency.ts'
import type { Route } from './route.ts'

// What the operations of every service are given.
export type ServiceContext = Context &
  RepeatObserver & {
    readonly secrets: Secrets
    // The way out to addresses that businesses give us.
    readonly egress: Egress
    // Hears of webhooks that were sent because somebody asked.
    readonly onAttempt?: AttemptObserver
    // Links that leave the service are built from this, never from a request's Host.
    readonly publicUrl: string
    // The way to the mail server. Without one mails are kept and not sent.
    readonly mailer?: Mailer | undefined
  }

export type Tag = { readonly name: string; readonly description: string }

export type Service<Context> = KeyIssuer & {
  readonly title: string
  readonly description: string
  // The version of the interface, not of the program.
  readonly version: string
  readonly basePath: string
  readonly tags: readonly Tag[]
  readonly routes: readonly Route<Context>[]
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
