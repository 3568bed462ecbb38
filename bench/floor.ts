// The floor: bare Fastify handlers that send the same bytes, and run the same SQL with the same
// driver, and do no more. What the service costs above this is what authentication, limits,
// scopes, request ids, logs and metrics cost.
import Fastify from 'fastify'
import { connect } from '../src/kernel/db/database.ts'
import { findEmbeddedServer } from '../src/kernel/db/embedded-server.ts'
import { presentAccount } from '../src/merchant/business/business.ts'
import { findAccount } from '../src/merchant/business/business-store.ts'

const { PORT, DATA_DIR, BUSINESS_ID, REFERENCE } = process.env as Record<string, string>
const jsonType = 'application/json; charset=utf-8'

const databaseUrl = findEmbeddedServer(DATA_DIR ?? '', 'tillbook')
if (!databaseUrl || !BUSINESS_ID) throw new Error('the floor is started by bench/run.ts')
const { sql } = connect({ url: databaseUrl, poolSize: 10 })

const app = Fastify()

app.get('/merchant/api/v1/reference', (_request, reply) => {
  reply.header('content-type', jsonType).send(REFERENCE)
})

app.get('/merchant/api/v1/account', async (_request, reply) => {
  const account = await findAccount(sql, BUSINESS_ID)
  if (!account) throw new Error('no such business')
  return reply
    .header('content-type', jsonType)
    .send(JSON.stringify(presentAccount(account, 'live')))
})

process.once('SIGTERM', () => process.exit(0))
await app.listen({ host: '127.0.0.1', port: Number(PORT) })
