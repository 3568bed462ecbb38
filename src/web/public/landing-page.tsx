// The front page: what runs on this server, its addresses and its status. It is public, so it shows
// nothing secret. Signed-in people see their name.

import type { Health, PartHealth } from '../../kernel/http/health.ts'
import type { Service } from '../../kernel/http/service.ts'
import type { ServiceContext } from '../../kernel/operations/service-context.ts'
import { Alert, Badge, Card, CodeBlock, type Tone } from '../../kernel/web/components.tsx'
import type { Page } from '../../kernel/web/page.ts'

export type LandingOptions = {
  readonly services: readonly Service<ServiceContext>[]
  readonly health: Health
  readonly publicUrl: string
  // Whether this server has the demo business.
  readonly isDemo: boolean
  // Current pauses and their ends.
  listPauses(): Promise<readonly PauseNotice[]>
  // The signed-in person, if any.
  findSession(headers: Headers): Promise<SignedIn | undefined>
}

export type SignedIn = { readonly name: string; readonly email: string }

export type PauseNotice = { readonly kind: string; readonly endsAt: Date }

export function landingPage(options: LandingOptions): Page {
  return {
    method: 'GET',
    path: '/',
    async handle({ headers }) {
      const { parts } = await options.health.check()
      const isReachable = parts.database === 'up'
      const pauses = isReachable ? await options.listPauses() : []
      const signedIn = isReachable ? await options.findSession(headers) : undefined
      const body = <Landing {...options} parts={parts} pauses={pauses} signedIn={signedIn} />
      return { status: 200, title: 'Tillbook', body }
    },
  }
}

type Parts = Record<string, PartHealth>

type LandingProps = LandingOptions & {
  parts: Parts
  pauses: readonly PauseNotice[]
  signedIn: SignedIn | undefined
}

function Landing({ services, publicUrl, isDemo, parts, pauses, signedIn }: LandingProps) {
  return (
    <div class="stack">
      <div class="hero">
        <div>
          <h1>Take payments. Keep&nbsp;the&nbsp;books.</h1>
          <p class="lead">
            This server runs Tillbook, self-hosted software for taking payments and keeping the
            books.
          </p>
          {signedIn ? <SignedInActions {...signedIn} /> : <SignedOutActions />}
        </div>
        <HealthCard parts={parts} pauses={pauses} />
      </div>
      {isDemo && (
        <Alert tone="unsure">
          <strong>This is a demo.</strong> It has a sample business and a simulated payment
          provider. No money moves, whichever key you use.
        </Alert>
      )}
      <div class="pair">
        {services.map((service) => (
          <ServiceCard key={service.name} service={service} publicUrl={publicUrl} />
        ))}
      </div>
      <TryIt services={services} publicUrl={publicUrl} />
    </div>
  )
}

function SignedOutActions() {
  return (
    <p class="actions">
      <a class="btn btn-primary btn-lg" href="/sign-in">
        Sign in
      </a>
      <a class="btn btn-lg" href="#try">
        Call the API
      </a>
    </p>
  )
}

function SignedInActions({ name, email }: SignedIn) {
  return (
    <>
      <p class="text-break">
        Signed in as {name} ({email}).
      </p>
      <form class="actions" method="post" action="/sign-out">
        <a class="btn btn-primary btn-lg" href="/home">
          Home
        </a>
        <button class="btn btn-lg" type="submit">
          Sign out
        </button>
      </form>
    </>
  )
}

type ServiceProps = { service: Service<ServiceContext>; publicUrl: string }

function ServiceCard({ service, publicUrl }: ServiceProps) {
  return (
    <Card title={service.title}>
      <p>{service.description}</p>
      <dl class="facts">
        <dt>Base URL</dt>
        <dd>
          <code>
            {publicUrl}
            <wbr />
            {service.basePath}
          </code>
        </dd>
        <dt>API version</dt>
        <dd>{service.version}</dd>
      </dl>
      <p class="actions">
        <a class="btn" href={`/reference/${service.name}`}>
          {service.title} reference
        </a>
        <a class="plain-link" href={`/reference/${service.name}.json`}>
          OpenAPI document
          <span class="visually-hidden"> of {service.title}</span>
        </a>
      </p>
    </Card>
  )
}

const partNames: Record<string, string> = {
  api: 'API',
  database: 'Database',
  worker: 'Background work',
  database_servers: 'Database servers',
}

const partWords: Record<PartHealth, { tone: Tone; text: string }> = {
  up: { tone: 'good', text: 'Up' },
  down: { tone: 'bad', text: 'Down' },
  stopping: { tone: 'unsure', text: 'Stopping' },
}

function HealthCard({ parts, pauses }: Pick<LandingProps, 'parts' | 'pauses'>) {
  const healthy = Object.values(parts).every((part) => part === 'up')
  return (
    <Card title="System status" id="health">
      <p>
        {healthy
          ? pauses.length === 0 && 'Everything is working.'
          : 'Some parts are down. Calls may fail until they are up again.'}
        {healthy && pauses.length > 0 && 'Everything is up, but these are paused for maintenance:'}
      </p>
      {pauses.length > 0 && (
        <ul>
          {pauses.map(({ kind, endsAt }) => (
            <li key={kind}>
              New {kind} are paused until{' '}
              <time datetime={endsAt.toISOString()}>{minuteText(endsAt)}</time>.
            </li>
          ))}
        </ul>
      )}
      <ul class="parts">
        {Object.entries(parts).map(([name, part]) => (
          <li key={name}>
            <span>{partNames[name] ?? name}</span>
            <Badge tone={partWords[part].tone}>{partWords[part].text}</Badge>
          </li>
        ))}
      </ul>
    </Card>
  )
}

// Rounded up to the minute, so that no caller comes back too early.
function minuteText(moment: Date): string {
  const minuteMs = 60_000
  const ends = new Date(Math.ceil(moment.getTime() / minuteMs) * minuteMs)
  return `${ends.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function TryIt({ services, publicUrl }: Pick<LandingOptions, 'services' | 'publicUrl'>) {
  return (
    <Card title="Make a first call" id="try">
      <p>
        Replace <code>your_key</code> with your API key. The operator of this server creates keys.
        Keys with <code>test</code> in their name work in the sandbox.
      </p>
      {services.map((service) => (
        <CodeBlock
          key={service.name}
          id={`try-${service.name}`}
          label={service.title}
          text={firstCall(service, publicUrl)}
        />
      ))}
    </Card>
  )
}

// A call that only reads and needs nothing but a key.
function firstCall({ routes, basePath, keyPrefix }: Service<ServiceContext>, publicUrl: string) {
  const simple = routes.find(
    ({ kind, method, params, scopes }) =>
      kind === 'key' && method === 'GET' && !params && scopes.length > 0,
  )
  return (
    `curl '${publicUrl}${basePath}${simple?.path ?? ''}' \\\n` +
    `  -H 'Authorization: Bearer ${keyPrefix}_live_your_key'`
  )
}
