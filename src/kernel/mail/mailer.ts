// Talks to the mail server: one connection per mail, closed if the server is silent. Classifies the
// server's answer as accepted, refused or to be retried; the caller decides when to retry.
import { createTransport } from 'nodemailer'
import { assertNoTransaction } from '../db/transaction.ts'
import type { Sender, SmtpServer } from './smtp-server.ts'

export type Mailer = {
  readonly sender: Sender
  send(recipients: readonly string[], message: Buffer): Promise<SendOutcome>
}

// Recipients in neither list can be tried again.
export type SendOutcome = {
  readonly accepted: readonly string[]
  readonly refused: readonly string[]
  // Undefined if all recipients were accepted.
  readonly problem: SendProblem | undefined
}

export type SendProblem = {
  // The SMTP status, or the library's error code if there was no answer.
  readonly code: string
  // The server's message, which may contain addresses.
  readonly text: string
}

export type MailerOptions = {
  readonly server: SmtpServer
  readonly sender: Sender
  // Replaces the usual trusted certificates; only for tests.
  readonly ca?: string
  // How long the server may be silent; only tests set it.
  readonly silenceMs?: number
}

// Servers scan a message before they accept it, and some take a minute.
const silenceMsDefault = 120_000
const connectMs = 15_000
const textMax = 500

export function createMailer(options: MailerOptions): Mailer {
  const { server, sender, ca, silenceMs = silenceMsDefault } = options
  const transport = createTransport({
    host: server.host,
    port: server.port,
    secure: server.tls === 'implicit',
    requireTLS: server.tls === 'required',
    ...(server.login && { auth: { user: server.login.user, pass: server.login.password } }),
    tls: { minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) },
    connectionTimeout: Math.min(connectMs, silenceMs),
    greetingTimeout: Math.min(connectMs, silenceMs),
    socketTimeout: silenceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const hide = (text: string) =>
    server.login ? text.replaceAll(server.login.password, '[redacted]') : text
  return {
    sender,
    async send(recipients, message) {
      assertNoTransaction('sending a mail')
      const envelope = { from: sender.address, to: [...recipients] }
      try {
        const { rejectedErrors } = await transport.sendMail({ envelope, raw: message })
        const errors = (rejectedErrors ?? []) as SmtpError[]
        const rejected = new Set(errors.map(({ recipient }) => recipient))
        const accepted = recipients.filter((recipient) => !rejected.has(recipient))
        return sorted(accepted, errors, hide)
      } catch (error) {
        return afterFailure(recipients, error as SmtpError, hide)
      }
    },
  }
}

// The library's description of a failure.
type SmtpError = Error & {
  readonly code?: string
  readonly responseCode?: number
  readonly response?: string
  readonly recipient?: string
  readonly rejectedErrors?: readonly SmtpError[]
}

// The message or all recipients were refused, or the server was not reached, or it did not confirm
// the message. In the last case it may have accepted it; a repeat has the same Message-ID.
function afterFailure(
  recipients: readonly string[],
  error: SmtpError,
  hide: (text: string) => string,
): SendOutcome {
  if (error.rejectedErrors) return sorted([], error.rejectedErrors, hide)
  const refused = isForGood(error) ? recipients : []
  return { accepted: [], refused, problem: problemOf(error, hide) }
}

function sorted(
  accepted: readonly string[],
  errors: readonly SmtpError[],
  hide: (text: string) => string,
): SendOutcome {
  const refused = errors.filter(isForGood).flatMap(({ recipient }) => recipient ?? [])
  const [error] = errors
  return { accepted, refused, problem: error && problemOf(error, hide) }
}

// A 5xx about the mail itself. A 5xx about login, encryption or greeting is for the operator to fix
// and would fail every mail, so it is retried. The library also refuses messages larger than the
// server accepts, without an answer from the server.
function isForGood({ code, responseCode }: SmtpError): boolean {
  const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  return isAboutMail && (responseCode === undefined || responseCode >= 500)
}

function problemOf(error: SmtpError, hide: (text: string) => string): SendProblem {
  const text = hide(error.response ?? error.message).replaceAll(/[\p{Cc}\s]+/gu, ' ')
  return {
    code: String(error.responseCode ?? error.code ?? error.name),
    text: text.trim().slice(0, textMax),
  }
}
