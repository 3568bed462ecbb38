// A mail server on this machine that records mails and misbehaves on request.
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions } from 'smtp-server'
import { onTestFinished } from 'vitest'
import { createMailer, type Mailer } from '../../src/kernel/mail/mailer.ts'
import type { SmtpServer } from '../../src/kernel/mail/smtp-server.ts'
import type { Certificate } from './receiver.ts'

export type ReceivedMail = {
  readonly from: string
  readonly to: readonly string[]
  readonly message: string
  readonly isEncrypted: boolean
  readonly user: string | undefined
}

export type MailServer = {
  readonly port: number
  readonly received: ReceivedMail[]
  // Every address that anybody tried to send from; empty when no one came that far.
  readonly senders: string[]
  mailer(options?: Partial<SmtpServer> & { ca?: string; silenceMs?: number }): Mailer
  behaviour: Behaviour
}

export type Behaviour = {
  // The status with which a recipient is refused.
  recipient?: (address: string) => number | undefined
  // The status with which the message is refused once it is there; `drop` cuts the line instead of
  // answering.
  message?: () => number | 'drop' | undefined
  // Awaited before the message is answered.
  beforeAnswer?: () => Promise<void>
}

export type MailServerOptions = {
  readonly certificate?: Certificate
  readonly isEncrypted?: boolean
  readonly login?: { readonly user: string; readonly password: string }
}

export const sender = { name: 'Tillbook', address: 'billing@example.com' }

// Ends with the test.
export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const senders: string[] = []
  const server = new SMTPServer({ ...serverOptions(options), ...handlers() })
  const state = { behaviour: {} as Behaviour }

  function handlers(): SMTPServerOptions {
    return {
      onAuth({ username, password }, _session, callback) {
        const { login } = options
        const isRight = username === login?.user && password === login?.password
        if (isRight) callback(null, { user: username })
        // Some servers repeat what they were told.
        else callback(refusal(535, `no ${username} with ${password}`))
      },
      onMailFrom({ address }, _session, callback) {
        senders.push(address)
        callback()
      },
      onRcptTo({ address }, _session, callback) {
        const status = state.behaviour.recipient?.(address)
        callback(status === undefined ? null : refusal(status, `no ${address}`))
      },
      async onData(stream, session, callback) {
        const message = await read(stream)
        const { mailFrom, rcptTo } = session.envelope
        await state.behaviour.beforeAnswer?.()
        const answer = state.behaviour.message?.()
        if (typeof answer === 'number') return callback(refusal(answer, 'not this message'))
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          message,
          isEncrypted: session.secure,
          user: typeof session.user === 'string' ? session.user : undefined,
        })
        if (answer === 'drop') return cutAll(server)
        callback()
      },
    }
  }

  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return {
    port,
    received,
    senders,
    mailer({ ca, silenceMs, ...wanted } = {}) {
      const reached = { host: '127.0.0.1', port, tls: 'optional', login: undefined } as const
      return createMailer({
        server: { ...reached, ...wanted },
        sender,
        ...(ca !== undefined && { ca }),
        ...(silenceMs !== undefined && { silenceMs }),
      })
    },
    get behaviour() {
      return state.behaviour
    },
    set behaviour(behaviour) {
      state.behaviour = behaviour
    },
  }
}

function serverOptions(options: MailServerOptions): SMTPServerOptions {
  const { certificate, isEncrypted, login } = options
  return {
    ...(certificate && { key: certificate.key, cert: certificate.cert }),
    secure: isEncrypted ?? false,
    authOptional: !login,
    disabledCommands: [...(certificate ? [] : ['STARTTLS']), ...(login ? [] : ['AUTH'])],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 500,
  }
}

async function read(stream: SMTPServerDataStream): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('latin1')
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}

function cutAll(server: SMTPServer): void {
  const connections = (server as unknown as { connections: Set<{ _socket: Socket }> }).connections
  for (const { _socket } of connections) _socket.destroy()
}
