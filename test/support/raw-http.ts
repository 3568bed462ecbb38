// Requests on the wire that `fetch` would not send: duplicate headers, bytes that are not HTTP,
// requests that end half way.
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import type { CallResult } from './world.ts'

export type WireRequest = {
  readonly method: string
  readonly path: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body?: string | Buffer | undefined
}

const agent = new Agent({ keepAlive: true, maxSockets: 4 })

// Readable HTTP with any headers.
export async function send(baseUrl: string, wire: WireRequest): Promise<CallResult> {
  const { hostname, port, host } = new URL(baseUrl)
  const body = wire.body === undefined ? undefined : Buffer.from(wire.body)
  const length = body ? [['content-length', String(body.length)] as const] : []
  const headers = [['host', host] as const, ...wire.headers, ...length].flat()
  const call = request({ agent, hostname, port, method: wire.method, path: wire.path, headers })
  call.end(body)
  const [response] = await once(call, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  const text = bytes.toString()
  const answered = new Headers()
  for (let index = 0; index < response.rawHeaders.length; index += 2) {
    answered.append(response.rawHeaders[index], response.rawHeaders[index + 1])
  }
  const isJson = answered.get('content-type')?.startsWith('application/json')
  return {
    status: response.statusCode,
    headers: answered,
    text,
    bytes,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  }
}

export type Conversation = {
  // Everything that came back until the server closed the connection.
  readonly answers: CallResult[]
  readonly leftOver: string
}

// Any bytes at all. Returns when the server has closed the connection or sent the wanted number of
// answers; `end` closes our side after the bytes.
export async function exchange(
  baseUrl: string,
  bytes: string | Buffer,
  { answers: wanted = 1, end = false } = {},
): Promise<Conversation> {
  const { hostname, port } = new URL(baseUrl)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  let received = ''
  return new Promise((resolve, reject) => {
    const finish = () => {
      socket.destroy()
      resolve(parseAnswers(received))
    }
    socket.setTimeout(240_000, () => reject(new Error(`no answer; so far: ${received}`)))
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      if (parseAnswers(received).answers.length >= wanted) finish()
    })
    socket.on('close', finish)
    socket.on('error', finish)
    if (end) socket.end(bytes)
    else socket.write(bytes)
  })
}

function parseAnswers(text: string): Conversation {
  const answers: CallResult[] = []
  let rest = text
  for (;;) {
    const head = /^HTTP\/1\.1 (\d{3})[^\r]*((?:\r\n[^\r]+)*)\r\n\r\n/.exec(rest)
    if (!head) return { answers, leftOver: rest }
    const headers = new Headers(
      (head[2] ?? '')
        .split('\r\n')
        .filter(Boolean)
        .map((line): [string, string] => {
          const colon = line.indexOf(':')
          return [line.slice(0, colon), line.slice(colon + 1).trim()]
        }),
    )
    const length = Number(headers.get('content-length') ?? 0)
    const start = head[0].length
    if (rest.length < start + length) return { answers, leftOver: rest }
    const bytes = Buffer.from(rest.slice(start, start + length), 'latin1')
    const body = bytes.toString()
    rest = rest.slice(start + length)
    // 100 Continue announces an answer and is none.
    if (head[1] === '100') continue
    const isJson = headers.get('content-type')?.startsWith('application/json') && body !== ''
    answers.push({
      status: Number(head[1]),
      headers,
      text: body,
      bytes,
      body: isJson ? JSON.parse(body) : undefined,
    })
  }
}
