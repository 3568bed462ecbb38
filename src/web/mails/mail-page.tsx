// One mail. Its HTML is shown in a frame that runs no scripts, sends no forms and has no cookies:
// text that customers or payers wrote can't act in the name of the person who reads it.
import { framedFileHeaders } from '../../kernel/http/security-headers.ts'
import { getMail, getMailFile, type ReadMail } from '../../kernel/mailbox/get-mail.ts'
import { sendMailAgain } from '../../kernel/mailbox/send-mail-again.ts'
import { Badge, Card } from '../../kernel/web/components.tsx'
import type { PageAnswer } from '../../kernel/web/page.ts'
import { ActionButton } from '../components/app-form.tsx'
import { Facts } from '../components/facts.tsx'
import { Moment } from '../components/moment.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { defineAction, definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import {
  kindLabels,
  mailHref,
  mailsPath,
  stateLabels,
  stateReason,
  stateTones,
} from './mail-text.ts'

const path = `${mailsPath}/:id`

const shownMail = definePage({
  path,
  operation: getMail,
  async show(visit) {
    const read = await visit.run(getMail, { id: visit.param('id') })
    const { mail, resendProblem } = read
    return {
      title: mail.subject,
      content: (
        <>
          <PageHeader
            back={{ href: visit.href(mailsPath), text: 'Mails' }}
            title={
              <>
                {mail.subject}{' '}
                <Badge tone={stateTones[mail.state]}>{stateLabels[mail.state]}</Badge>
              </>
            }
            actions={
              resendProblem === null &&
              visit.may(sendMailAgain) && (
                <ActionButton
                  action={`${mailHref(visit, mail.id)}/send`}
                  token={visit.context.ids.uuid()}
                  label={mail.state === 'failed' ? 'Send again' : 'Send now'}
                  isPrimary
                />
              )
            }
          />
          <div class="stack">
            <Details visit={visit} read={read} />
            <Content visit={visit} read={read} />
          </div>
        </>
      ),
    }
  },
})

function Details({ visit, read }: { visit: Visit; read: ReadMail }) {
  const { mail, files } = read
  const reason = stateReason(mail, visit.context.mailer !== undefined)
  return (
    <Card title="Details">
      <Facts
        facts={[
          ['To', <span class="break">{mail.recipients.join(', ')}</span>],
          mail.senderName !== null && ['Sender', mail.senderName],
          mail.replyTo !== null && ['Replies go to', mail.replyTo],
          ['Kind', kindLabels[mail.kind]],
          ['Written', <Moment at={mail.createdAt} zone={visit.zone} />],
          mail.state === 'sent' &&
            mail.endedAt !== null && ['Sent', <Moment at={mail.endedAt} zone={visit.zone} />],
          reason !== '' && [mail.state === 'kept' ? 'Not sent' : 'Problem', reason],
          files.length > 0 && ['Files', <Files visit={visit} read={read} />],
        ]}
      />
    </Card>
  )
}

function Files({ visit, read: { mail, files } }: { visit: Visit; read: ReadMail }) {
  return (
    <ul class="list-unstyled mb-0">
      {files.map(({ position, filename, byteCount }) => (
        <li key={position}>
          <a href={`${mailHref(visit, mail.id)}/files/${position}`} data-turbo="false">
            {filename}
          </a>{' '}
          <span class="quiet">{Math.max(1, Math.round(byteCount / 1000))} kB</span>
        </li>
      ))}
    </ul>
  )
}

function Content({ visit, read: { mail, body } }: { visit: Visit; read: ReadMail }) {
  if (!body || body.bodyText === null) {
    return (
      <Card title="Content">
        <p class="quiet mb-0">
          {body
            ? 'The content was deleted after 30 days.'
            : 'Its links are for the recipient, so people who may only read don’t see the content.'}
        </p>
      </Card>
    )
  }
  const text = <PlainText text={body.bodyText} />
  if (body.bodyHtml === null) return <Card title="Content">{text}</Card>
  return (
    <Card title="Content">
      <iframe
        class="mail-frame"
        src={`${mailHref(visit, mail.id)}/html`}
        title="The mail as its recipient sees it"
        sandbox={frameRights}
        loading="lazy"
      />
      <details>
        <summary>As text</summary>
        {text}
      </details>
    </Card>
  )
}

// Links of a mail open a new tab, which is an ordinary page again. Nothing else is allowed.
const frameRights = 'allow-popups allow-popups-to-escape-sandbox'

function PlainText({ text }: { text: string }) {
  const parts = text.split(/(https?:\/\/[^\s<>"]+)/)
  return (
    <pre class="mail-text">
      {parts.map((part, index) =>
        index % 2 === 1 ? (
          <a key={index} href={part} target="_blank" rel="noopener">
            {part}
          </a>
        ) : (
          part
        ),
      )}
    </pre>
  )
}

const framedMail = definePage({
  path: `${path}/html`,
  operation: getMail,
  async show(visit): Promise<PageAnswer> {
    const { body } = await visit.run(getMail, { id: visit.param('id') })
    return {
      status: 200,
      headers: {
        ...framedFileHeaders,
        // Also if someone opens its address outside of the frame.
        'content-security-policy': [
          "default-src 'none'",
          "style-src 'unsafe-inline'",
          "img-src 'self' data:",
          "base-uri 'none'",
          "form-action 'none'",
          "frame-ancestors 'self'",
          `sandbox ${frameRights}`,
        ].join('; '),
        'content-type': 'text/html; charset=utf-8',
      },
      body: (body?.bodyHtml ?? '').replace('<head>', '<head><base target="_blank">'),
    }
  },
})

const fileOfMail = definePage({
  path: `${path}/files/:position`,
  operation: getMailFile,
  async show(visit): Promise<PageAnswer> {
    const file = await visit.run(getMailFile, {
      id: visit.param('id'),
      position: Number.parseInt(visit.param('position'), 10) || 0,
    })
    return {
      status: 200,
      headers: {
        ...framedFileHeaders,
        'content-type': file.contentType,
        'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.filename)}`,
      },
      body: file.content,
    }
  },
})

const sendAgain = defineAction({
  path: `${path}/send`,
  operation: sendMailAgain,
  page: (visit) => mailHref(visit, visit.param('id')),
  input: (visit) => ({ id: visit.param('id') }),
  done: (visit, { id }) => ({
    location: mailHref(visit, id),
    message: 'The mail is sent within seconds. This page shows how it went.',
  }),
})

export const mailPages = [...shownMail, ...framedMail, ...fileOfMail, ...sendAgain]
