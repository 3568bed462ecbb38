// The frame of the payer's pages: a document of its own, so that nobody mistakes the simulated
// provider for the shop or for a real bank. One small style sheet, no script.
import type { ComponentChildren, VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { PageAnswer } from '../../kernel/web/page.ts'

export const stylePath = '/simulator/pay.css'

export type PayerPage = {
  readonly title: string
  // What the visitor must know; about money where it is left out.
  readonly notice?: string
  // Where the forms lead in the end: the merchant's own address.
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
        // The merchant's page may send the browser on to anywhere, and the browser holds the whole
        // way against what the form may lead to.
        `form-action 'self'${redirectUrl ? ' http: https:' : ''}`,
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
