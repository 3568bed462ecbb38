// A secret that is shown once: the text of a key, or what signs webhooks.
import { Alert, CodeBlock } from '../../kernel/web/components.tsx'
import { PageHeader } from '../components/page-header.tsx'
import type { Shown } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'

export function shownOnce(visit: Visit, title: string, label: string, secret: string): Shown {
  return {
    title,
    content: (
      <>
        <PageHeader title={title} />
        <div class="narrow">
          <Alert tone="unsure">Copy it now. It is not shown again.</Alert>
          <CodeBlock id="secret" label={label} text={secret} />
          <a class="btn btn-primary" href={visit.href('/developers')}>
            Done
          </a>
        </div>
      </>
    ),
  }
}
