import type { ComponentChildren } from 'preact'

type HeaderProps = {
  title: ComponentChildren
  // One sentence about the page.
  lead?: ComponentChildren
  back?: { href: string; text: string }
  // Buttons and links, on the right.
  actions?: ComponentChildren
}

export function PageHeader({ title, lead, back, actions }: HeaderProps) {
  return (
    <div class="page-head">
      <div>
        {back && (
          <p class="page-back">
            <a href={back.href}>← {back.text}</a>
          </p>
        )}
        <h1>{title}</h1>
        {lead && <p class="quiet mb-0">{lead}</p>}
      </div>
      {actions && <div class="page-actions">{actions}</div>}
    </div>
  )
}
