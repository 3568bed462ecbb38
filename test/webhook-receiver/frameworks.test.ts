// Verification in real servers of each framework, set up as docs/webhooks.md says, and set up
// wrongly.
import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { describe, expect, it, onTestFinished } from 'vitest'
import { receiveWebhook, signWebhook, WebhookError } from '../../src/webhook-receiver/webhooks.ts'

const secret = 'whsec_4hH9sK2mQpXv7TzLr3NbWc8Yd1Jf6Gg5Aa0Ee'
const contact = {
  service: 'books',
  type: 'contact.created',
  data: {
    ...{ id: '1', name: 'Søren & Søn ✓', email: null, currency: null },
    ...{ is_customer: true, is_supplier: false },
  },
} as const
const told = { type: 'contact.created', data: { name: 'Søren & Søn ✓' } }

describe('Node', () => {
  it('reads the request by itself', async () => {
    const url = await listen(answering((incoming) => receiveWebhook(incoming, secret)))
    expect(await post(url)).toMatchObject({ status: 200, body: told })
  })

  it('reads pieces that cut a letter in two', async () => {
    const url = await listen(answering((incoming) => receiveWebhook(incoming, secret)))
    const { headers, body } = signWebhook(contact, secret)
    const bytes = Buffer.from(body)
    const middle = bytes.indexOf('ø') + 1
    expect(
      await postPieces(url, headers, [bytes.subarray(0, middle), bytes.subarray(middle)]),
    ).toBe(200)
  })

  it('takes a request that gives text', async () => {
    const url = await listen(
      answering((incoming) => {
        incoming.setEncoding('utf8')
        return receiveWebhook(incoming, secret)
      }),
    )
    expect(await post(url)).toMatchObject({ status: 200, body: told })
  })

  it('refuses a request that was read before', async () => {
    const url = await listen(
      answering(async (incoming) => {
        for await (const _ of incoming);
        return receiveWebhook(incoming, secret)
      }),
    )
    const { status, body } = await post(url)
    expect([status, body.code]).toEqual([500, 'body_read'])
    expect(body.message).toContain('verifyWebhook(bytes, headers, secret)')
  })

  it('refuses a body that something else has parsed', async () => {
    const url = await listen(
      answering(async (incoming) => {
        const pieces: Buffer[] = []
        for await (const piece of incoming) pieces.push(piece)
        const body: unknown = JSON.parse(Buffer.concat(pieces).toString())
        return receiveWebhook(Object.assign(incoming, { body }), secret)
      }),
    )
    const { status, body } = await post(url)
    expect([status, body.code]).toEqual([500, 'body_parsed'])
    expect(body.message).toContain('bodyParser: false')
  })

  it('reads no more than a mebibyte', async () => {
    const errors: unknown[] = []
    const url = await listen(async (incoming, response) => {
      await receiveWebhook(incoming, secret).catch((error) => errors.push(error))
      response.end()
    })
    await post(url, { body: 'x'.repeat(1024 * 1024 + 1) }).catch(() => undefined)
    expect(errors).toMatchObject([{ code: 'body_too_large', status: 413 }])
  })

  it('refuses what was changed on the way', async () => {
    const url = await listen(answering((incoming) => receiveWebhook(incoming, secret)))
    const { body } = signWebhook(contact, secret)
    const { status, body: answer } = await post(url, { body: body.replace('Søren', 'Soren') })
    expect([status, answer.code]).toEqual([400, 'signature_mismatch'])
  })
})

describe('Express', () => {
  const expressServer = (set: (app: express.Express) => void) => {
    const app = express()
    set(app)
    return listen(app)
  }
  const handler: express.RequestHandler = async (incoming, response) => {
    const { status, body } = await answerTo(() => receiveWebhook(incoming, secret))
    response.status(status).json(body)
  }

  it('gives the bytes with express.raw before express.json', async () => {
    const url = await expressServer((app) => {
      app.post('/hook', express.raw({ type: 'application/json' }), handler)
      app.use(express.json())
    })
    expect(await post(url)).toMatchObject({ status: 200, body: told })
  })

  it('is read by itself when it has no parser at all', async () => {
    const url = await expressServer((app) => app.post('/hook', handler))
    expect(await post(url)).toMatchObject({ status: 200, body: told })
  })

  it('is read by itself when express.raw waits for another type', async () => {
    const url = await expressServer((app) => app.post('/hook', express.raw(), handler))
    expect(await post(url)).toMatchObject({ status: 200, body: told })
  })

  it('gives text as well', async () => {
    const url = await expressServer((app) =>
      app.post('/hook', express.text({ type: '*/*' }), handler),
    )
    expect(await post(url)).toMatchObject({ status: 200, body: told })
  })

  it('may keep the bytes beside what it parses', async () => {
    const url = await expressServer((app) => {
      const verify = (incoming: IncomingMessage, _: unknown, rawBody: Buffer) => {
        Object.assign(incoming, { rawBody })
      }
      app.use(express.json({ verify }))
      app.post('/hook', handler)
    })
    expect(await post(url)).toMatchObject({ status: 200, body: told })
  })

  it('is told what to do when express.json came first', async () => {
    const url = await expressServer((app) => {
      app.use(express.json())
      app.post('/hook', express.raw({ type: 'application/json' }), handler)
    })
    const { status, body } = await post(url)
    expect([status, body.code]).toEqual([500, 'body_parsed'])
    expect(body.message).toContain("express.raw({ type: 'application/json' })")
    expect(body.message).toContain('before app.use(express.json())')
  })
})

describe('Fastify', () => {
  const fastifyServer = async (isRaw: boolean, parseAs: 'buffer' | 'string' = 'buffer') => {
    const app = fastify()
    onTestFinished(() => app.close())
    await app.register(async (scope) => {
      if (isRaw) {
        scope.addContentTypeParser('application/json', { parseAs }, (_, body, done) =>
          done(null, body),
        )
      }
      scope.post('/hook', async (incoming, reply) => {
        const { status, body } = await answerTo(() => receiveWebhook(incoming, secret))
        return reply.code(status).send(body)
      })
    })
    app.post('/other', async (incoming) => incoming.body)
    return `${await app.listen({ port: 0 })}/hook`
  }

  it.each(['buffer', 'string'] as const)('gives the body as a %s', async (parseAs) => {
    expect(await post(await fastifyServer(true, parseAs))).toMatchObject({
      status: 200,
      body: told,
    })
  })

  it('goes on parsing what other routes get', async () => {
    const url = (await fastifyServer(true)).replace('/hook', '/other')
    expect(await post(url)).toMatchObject({ status: 200, body: told })
  })

  it('is told what to do when it has parsed the body', async () => {
    const { status, body } = await post(await fastifyServer(false))
    expect([status, body.code]).toEqual([500, 'body_parsed'])
    expect(body.message).toContain("addContentTypeParser('application/json', { parseAs: 'buffer' }")
  })
})

describe('Hono', () => {
  type Trap = 'none' | 'raw' | 'json' | 'parseBody' | 'text' | 'blob' | 'arrayBuffer'
  const honoApp = (trap: Trap) => {
    const app = new Hono()
    app.use(async (c, next) => {
      if (trap === 'raw') await c.req.raw.json()
      else if (trap !== 'none') await (c.req[trap] as () => Promise<unknown>)()
      await next()
    })
    app.post('/hook', async (c) => {
      const { status, body } = await answerTo(() => receiveWebhook(c.req, secret))
      return c.json(body, status as 200)
    })
    return app
  }
  const servers = [
    ['in Node', async (app: Hono) => listenHono(app)],
    ['anywhere', async (app: Hono) => (init: RequestInit) => app.request('/hook', init)],
  ] as const

  describe.each(servers)('%s', (_, start) => {
    const send = async (trap: Trap) => {
      const target = await start(honoApp(trap))
      return typeof target === 'string'
        ? post(target)
        : read(await target(signWebhook(contact, secret)))
    }

    it.each(['none', 'json', 'parseBody', 'text', 'blob', 'arrayBuffer'] as const)(
      'reads the bytes after %s',
      async (trap) => {
        expect(await send(trap)).toMatchObject({ status: 200, body: told })
      },
    )

    it('is told what to do when the request below it was read', async () => {
      const { status, body } = await send('raw')
      expect([status, body.code]).toEqual([500, 'body_parsed'])
      expect(body.message).toContain('receiveWebhook(c.req, secret) first')
    })
  })

  it('is told what to do where it remembers parsed JSON, as older versions do', async () => {
    const raw = new Request('https://shop.example/hook', signWebhook(contact, secret))
    const json = raw.json()
    const written = async () => new Response(JSON.stringify(await json)).arrayBuffer()
    const older = { raw, bodyCache: { json }, arrayBuffer: written }
    await expect(receiveWebhook(older, secret)).rejects.toMatchObject({ code: 'body_parsed' })
  })
})

describe('Fetch', () => {
  const fetched = () => new Request('https://shop.example/hook', signWebhook(contact, secret))

  it('gives its request', async () => {
    expect(await receiveWebhook(fetched(), secret)).toMatchObject(told)
  })

  it('refuses a request that was read before', async () => {
    const used = fetched()
    await used.json()
    await expect(receiveWebhook(used, secret)).rejects.toMatchObject({ code: 'body_read' })
  })

  it('leaves a copy to be read', async () => {
    const whole = fetched()
    expect(await receiveWebhook(whole.clone(), secret)).toMatchObject(told)
    expect(await whole.json()).toMatchObject(told)
  })

  it('gives no more than a mebibyte', async () => {
    const body = 'x'.repeat(1024 * 1024 + 1)
    const large = new Request('https://shop.example/', { method: 'POST', body })
    await expect(receiveWebhook(large, secret)).rejects.toMatchObject({ status: 413 })
  })
})

// biome-ignore lint/suspicious/noExplicitAny: an event, or the fields of an error
type Answered = { status: number; body: any }

async function answerTo(receive: () => Promise<object>): Promise<Answered> {
  try {
    return { status: 200, body: await receive() }
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error
    return { status: error.status, body: { code: error.code, message: error.message } }
  }
}

function answering(receive: (incoming: IncomingMessage) => Promise<object>): RequestListener {
  return async (incoming, response) => {
    const { status, body } = await answerTo(() => receive(incoming))
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
}

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}

function listenHono(app: Hono): Promise<string> {
  return new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
      resolve(`http://127.0.0.1:${port}/hook`),
    )
    onTestFinished(() => void server.close())
  })
}

async function post(url: string, changes: { body?: string } = {}): Promise<Answered> {
  return read(await fetch(url, { ...signWebhook(contact, secret), ...changes }))
}

async function read(response: Response): Promise<Answered> {
  return { status: response.status, body: await response.json() }
}

function postPieces(url: string, headers: object, pieces: readonly Buffer[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', headers: { ...headers } }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    outgoing.on('error', reject)
    for (const piece of pieces) outgoing.write(piece)
    outgoing.end()
  })
}
