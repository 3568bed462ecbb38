// The frame of the payer's pages: a separate document, so that the simulated provider can't be
// mistaken for the shop or a real bank. One small style sheet, no script.
import type { ComponentChildren, VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { PageAnswer } from '../../kernel/web/page.ts'

export const stylePath = '/simulator/pay.css'

export type PayerPage = {
  readonly title: string
  // An important note for the visitor; by default about test money.
  readonly notice?: string
  // The merchant's URL, where the payer ends up.
  readonly redirectUrl: string | null
  readonly body: VNode
}

export function payerAnswer(status: number, page: PayerPage): PageAnswer {
  const { title, notice = 'no real money moves. Use test cards only.', redirectUrl, body } = page
  const document = (
    <Document title={title} notice={notice}>
      {body}
    </Document>
  )
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': [
        "default-src 'none'",
        "style-src 'self'",
        'img-src data:',
        // The merchant's page may redirect anywhere, to an app as well, and the browser checks the
        // whole chain of redirects against form-action.
        ...(redirectUrl ? [] : ["form-action 'self'"]),
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
    },
    body: `<!doctype html>${renderToString(document)}`,
  }
}

type DocumentProps = { title: string; notice: string; children: ComponentChildren }

function Document({ title, notice, children }: DocumentProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{`${title} · Simulated provider`}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={stylePath} />
      </head>
      <body>
        <header>
          <p>
            <strong>Simulated provider:</strong> {notice}
          </p>
        </header>
        <main>{children}</main>
      </body>
    </html>
  )
}
