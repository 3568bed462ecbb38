// The way to the mail server: one connection a mail, given up when the server says nothing. What
// the server answered is sorted here into what is over, well or badly, and what may be tried again;
// whoever calls decides when.
import { createTransport } from 'nodemailer'
import { assertNoTransaction } from '../db/transaction.ts'
import type { Sender, SmtpServer } from './smtp-server.ts'

export type Mailer = {
  readonly sender: Sender
  send(recipients: readonly string[], message: Buffer): Promise<SendOutcome>
}

// Recipients in neither list may be tried again.
export type SendOutcome = {
  readonly accepted: readonly string[]
  readonly refused: readonly string[]
  // Undefined when everybody accepted.
  readonly problem: SendProblem | undefined
}

export type SendProblem = {
  // The status of the answer, or the library's word for why there was none.
  readonly code: string
  // The server's own words, in which it may name addresses.
  readonly text: string
}

export type MailerOptions = {
  readonly server: SmtpServer
  readonly sender: Sender
  // Certificates that are trusted in place of the usual ones; only tests give some.
  readonly ca?: string
  // How long the server may say nothing; only tests wait for less.
  readonly silenceMs?: number
}

// Servers look into a message before they take it, and some think for a minute.
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

// What the library says of a failure.
type SmtpError = Error & {
  readonly code?: string
  readonly responseCode?: number
  readonly response?: string
  readonly recipient?: string
  readonly rejectedErrors?: readonly SmtpError[]
}

// The message itself or everybody it was for was refused, or the server was not reached, or it
// did not say whether it took the message: then it may have, and a repeat has the same id.
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

// A 5xx about the mail. One about the login, the encryption or the greeting is for the operator
// to mend, and every mail would fail of it; so those are tried again. The library refuses some
// mails by itself, without an answer: a message larger than the server has said it takes.
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
