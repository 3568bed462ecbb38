// What holds for all calls of a service: its rate limits, and the events that it sends.
import type { OpenApiDocument } from '../../kernel/http/openapi.ts'
import { CodeBlock, Prose } from '../../kernel/web/components.tsx'
import { exampleAnswer } from './example.ts'
import { FieldList } from './field-list.tsx'
import { createResolve, fieldsOf, schemasIn } from './json-schema.ts'

type SectionProps = { document: OpenApiDocument }

export function RateLimits({ document }: SectionProps) {
  const headers = Object.entries(schemasIn(document.components.headers))
  const shown = headers.filter(([name]) => /^(RateLimit|RetryAfter)/.test(name))
  return (
    <section aria-labelledby="rate-limits">
      <h2 id="rate-limits">Rate limits</h2>
      <p>
        Each key may make 180 calls in any 60 seconds, and each client address 600 calls to this
        API, unless the operator has set other limits. Calls above a limit get 429. Wait as many
        seconds as <code>Retry-After</code> says. Each response says what is left of the limit that
        you will reach first:
      </p>
      <dl class="facts">
        {shown.map(([name, { description }]) => (
          <>
            <dt>
              <code>{headerNames[name] ?? name}</code>
            </dt>
            <dd>{typeof description === 'string' ? description : ''}</dd>
          </>
        ))}
      </dl>
    </section>
  )
}

const headerNames: Readonly<Record<string, string>> = {
  RateLimitLimit: 'RateLimit-Limit',
  RateLimitRemaining: 'RateLimit-Remaining',
  RateLimitReset: 'RateLimit-Reset',
  RetryAfter: 'Retry-After',
}

export function Events({ document }: SectionProps) {
  const webhooks = Object.entries(document['x-webhooks'] ?? {})
  const [first] = webhooks
  if (!first) return null
  const { description, parameters } = first[1].post
  return (
    <section aria-labelledby="events">
      <h2 id="events">Events</h2>
      <p>
        Events are sent to your webhook endpoints as HTTPS POST requests with a JSON body. Answer
        with any 2xx. An event can arrive more than once and out of order.
      </p>
      <h3 id="verify-signatures">Verify signatures</h3>
      <p>
        <Prose text={description} /> Use the body exactly as it arrived: JSON that was parsed and
        written again has other bytes.
      </p>
      <dl class="facts">
        {parameters.map(({ name, description: says }) => (
          <>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>
              <Prose text={says} />
            </dd>
          </>
        ))}
      </dl>
      <CodeBlock
        id="verify-example"
        label="With the module tillbook/webhooks"
        text={verifyExample}
      />
      <h3 id="event-types">Event types</h3>
      {webhooks.map(([type, { post }]) => {
        const { schema } = post.requestBody.content['application/json']
        return (
          <details key={type}>
            <summary>
              <code>{type}</code>: {post.summary}
            </summary>
            <FieldList fields={fieldsOf(createResolve(document), schema)} of="answer" />
            <CodeBlock
              id={`event-${type}`}
              label="Example"
              text={exampleAnswer(document, schema)}
            />
          </details>
        )
      })}
    </section>
  )
}

const verifyExample = `import { receiveWebhook } from 'tillbook/webhooks'

// Throws unless the signature and the timestamp are right.
const event = await receiveWebhook(request, process.env.WEBHOOK_SECRET)`
