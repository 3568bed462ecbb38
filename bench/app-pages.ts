// Pages of the application as a signed-in owner opens them, and the operations behind them, called
// directly.
import type { z } from 'zod'
import type { Context } from '../src/kernel/db/context.ts'
import type { Operation } from '../src/kernel/operations/operation.ts'
import { runOperation } from '../src/kernel/operations/run-operation.ts'
import type { WebContext } from '../src/web/shell/visit.ts'
import { totp } from '../test/support/totp.ts'
import type { RunningService } from './servers.ts'

const pagesPerRound = 20

// The time of one.
export async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  for (let count = 0; count < pagesPerRound; count += 1) await work()
  return (performance.now() - start) / pagesPerRound
}

export function reader(context: Context, businessId: string) {
  const tenant = { businessId, environment: 'live' } as const
  const actor = { kind: 'person', personId: businessId, role: 'viewer', ...tenant } as const
  // Reading needs the database and the clock alone.
  return <Input extends z.ZodType, Result>(
    operation: Operation<WebContext, Input, Result>,
    input: z.input<Input>,
  ) => runOperation(operation, context as WebContext, actor, input)
}

// Signs the owner in as a browser does, and opens pages with the session.
export async function openAsOwner({
  url,
  demo,
}: RunningService): Promise<(path: string) => Promise<void>> {
  const { email, password, totp_secret: secret } = demo.app.owner
  const jar = new Map<string, string>()
  const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const post = async (path: string, fields: Record<string, string>) => {
    const answer = await fetch(url + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: cookies(), origin: url },
      body: new URLSearchParams(fields),
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      jar.set(name, value)
    }
  }
  await post('/sign-in', { email, password })
  await post('/sign-in/code', { code: totp(secret, new Date()) })
  return async (path) => {
    const answer = await fetch(url + path, { headers: { cookie: cookies() }, redirect: 'manual' })
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
    await answer.text()
  }
}
